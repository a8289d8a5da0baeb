import { readdirSync, readFileSync } from "node:fs";
import type { CaseContext, Content } from "../engine/case-context.js";
import { glanceAt, seeFiles } from "../eyes/see-files.js";
import type { Case } from "./case.js";
import { checkExpectation } from "./expectations.js";
import type { JsonCase, JsonValue } from "./json-case.js";
import { decodeValue } from "./json-values.js";

const FOLDER = new URL("../../cases/", import.meta.url);

/** The cases of `cases/*.json`, by file name and then in the order of each file. */
export function jsonCases(): Case[] {
  return sources().map(compileCase);
}

/** A case as its file has it; `undefined` for one that is written in code. */
export function jsonCaseSource(id: string): JsonCase | undefined {
  return sources().find((data) => data.id === id);
}

function sources(): JsonCase[] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
  return files
    .toSorted()
    .flatMap((name) => JSON.parse(readFileSync(new URL(name, FOLDER), "utf8")) as JsonCase[]);
}

/** A case that runs, from a case as data. */
function compileCase(data: JsonCase): Case {
  return {
    id: data.id,
    rules: data.rule,
    level: data.level ?? "core",
    needs: data.needs ?? [],
    why: data.why,
    ...(data.tier === undefined ? {} : { tier: data.tier }),
    ...(data.patience === undefined ? {} : { patience: data.patience }),
    ...(data.hint === undefined ? {} : { hint: data.hint }),
    run: (context) => interpret(data, context),
  };
}

async function interpret(data: JsonCase, context: CaseContext): Promise<void> {
  const given = contentsOf(data.given ?? {}) as Record<string, Content>;
  await context.given(given);
  if (data.then !== undefined) await glanceAt(context, Object.keys(given));
  const captured = new Map<string, unknown>();
  for (const { call, args, gives } of data.when) {
    const decoded = args.map((argument) => decodeValue(argument, captured));
    const result = await context.backend.call(call, decoded);
    const [path] = decoded;
    const what = typeof path === "string" ? `${call}(${JSON.stringify(path)}, …)` : call;
    checkExpectation(context.check, result, gives, what, captured);
  }
  if (data.then === undefined) return;
  const then = contentsOf(data.then);
  await context.holds(then);
  await seeFiles(context, then);
}

function contentsOf(files: Readonly<Record<string, JsonValue>>): Record<string, Content | null> {
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path, decodeValue(content) as Content | null]),
  );
}
