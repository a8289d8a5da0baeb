import { parseArgs } from "node:util";
import type { Level, Tier } from "../cases/case.js";
import { UsageError } from "./usage-error.js";

/** A run of the suite on one backend. */
export interface RunArguments {
  readonly command: "run";
  /** The file whose default export is the harness, as it was written. */
  readonly harness: string;
  readonly tier: Tier;
  readonly seed: number;
  readonly only: readonly string[] | undefined;
  readonly skip: readonly string[] | undefined;
  readonly replay: string | undefined;
  readonly strict: boolean;
  /** Begins no further case once one has failed. */
  readonly bail: boolean;
  /** Runs again whenever a file of the harness's folder has changed. */
  readonly watch: boolean;
  /** The level that decides the exit code. `undefined`: every level that the profile claims. */
  readonly level: Level | undefined;
  /** Cases under way at once. `undefined`: as the harness says. */
  readonly concurrency: number | undefined;
  /** Milliseconds without a sign of life after which the process of the backend is ended. */
  readonly stallMs: number;
  readonly json: string | undefined;
  readonly junit: string | undefined;
  readonly md: string | undefined;
}

export type Arguments =
  | RunArguments
  | { readonly command: "help" | "version" }
  | {
      readonly command: "list";
      readonly tier: Tier;
      readonly only: readonly string[] | undefined;
      readonly skip: readonly string[] | undefined;
    }
  | { readonly command: "explain"; readonly subject: string }
  | { readonly command: "init"; readonly file: string; readonly force: boolean }
  | {
      readonly command: "matrix";
      readonly reports: readonly string[];
      readonly out: string | undefined;
      /** Where to write what is not in the summary. `undefined`: one page. */
      readonly details: string | undefined;
    };

const TIERS: readonly Tier[] = ["quick", "full", "soak"];
const LEVELS: readonly Level[] = ["core", "safe", "durable", "exec"];
const DEFAULT_STALL_SECONDS = 30;

/** Where `init` writes the harness unless told. */
const DEFAULT_HARNESS_FILE = "conformance.mjs";

/** What a command line asks for. Throws a {@link UsageError} that says what is wrong with it. */
export function parseArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parsed(args);
  if (values.help) return { command: "help" };
  if (values.version) return { command: "version" };
  if (values.explain !== undefined) return { command: "explain", subject: values.explain };
  const tier = oneOf("--tier", values.tier ?? "quick", TIERS);
  if (values.list) return { command: "list", tier, only: values.only, skip: values.skip };
  const [first, ...rest] = positionals;
  if (first === "init") {
    const [file, ...more] = rest;
    refuseMore(more);
    return { command: "init", file: file ?? DEFAULT_HARNESS_FILE, force: values.force ?? false };
  }
  if (first === "matrix") {
    if (rest.length === 0)
      throw new UsageError("'matrix' needs reports: fs-conformance matrix reports/*.json");
    return { command: "matrix", reports: rest, out: values.out, details: values.details };
  }
  if (first === undefined) return { command: "help" };
  refuseMore(rest);
  if (values.replay !== undefined && values.seed === undefined)
    throw new UsageError("--replay is a place of a seed: give the --seed of the failure as well.");
  return {
    command: "run",
    harness: first,
    tier,
    seed: wholeNumber("--seed", values.seed) ?? Date.now() % 2 ** 31,
    only: values.only,
    skip: values.skip,
    replay: values.replay,
    strict: values.strict ?? false,
    bail: values.bail ?? false,
    watch: values.watch ?? false,
    level: values.level === undefined ? undefined : oneOf("--level", values.level, LEVELS),
    concurrency: wholeNumber("--concurrency", values.concurrency, 1),
    stallMs: (wholeNumber("--stall", values.stall, 1) ?? DEFAULT_STALL_SECONDS) * 1000,
    json: values.json,
    junit: values.junit,
    md: values.md,
  };
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        tier: { type: "string" },
        only: { type: "string", multiple: true },
        skip: { type: "string", multiple: true },
        seed: { type: "string" },
        replay: { type: "string" },
        strict: { type: "boolean" },
        bail: { type: "boolean" },
        watch: { type: "boolean" },
        level: { type: "string" },
        concurrency: { type: "string" },
        stall: { type: "string" },
        json: { type: "string" },
        junit: { type: "string" },
        md: { type: "string" },
        list: { type: "boolean" },
        explain: { type: "string" },
        out: { type: "string", short: "o" },
        details: { type: "string" },
        force: { type: "boolean" },
        help: { type: "boolean", short: "h" },
        version: { type: "boolean" },
      },
    });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
}

function oneOf<T extends string>(option: string, value: string, known: readonly T[]): T {
  const found = known.find((candidate) => candidate === value);
  if (found === undefined)
    throw new UsageError(`${option} is one of ${known.join(", ")}, not '${value}'.`);
  return found;
}

function wholeNumber(option: string, value: string | undefined, least = 0): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(number) || number < least)
    throw new UsageError(`${option} is a whole number of at least ${least}, not '${value}'.`);
  return number;
}

function refuseMore([extra]: readonly string[]): void {
  if (extra !== undefined)
    throw new UsageError(`'${extra}' is one argument too many: one harness per run.`);
}
