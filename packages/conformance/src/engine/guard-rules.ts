import { readFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { show } from "../report/render.js";
import { checkTypes } from "./answer-types.js";
import { CheckFailure } from "./check-failure.js";

/** The rules of all calls as data, shared with the interpreters of other languages. */
const GUARD = JSON.parse(
  readFileSync(new URL("../../spec/guard.json", import.meta.url), "utf8"),
) as Readonly<
  Record<
    "dataFields" | "batchMethods" | "batchDataFields" | "batchErrors" | "changes" | "codes",
    readonly string[]
  >
>;

const CODES: ReadonlySet<unknown> = new Set(GUARD.codes);

/** T2: the words that an error of a batch may be. */
const BATCH_ERRORS: ReadonlySet<unknown> = new Set(GUARD.batchErrors);

/** Folders of this host that no error may name. */
const HOST_PATHS = [process.cwd(), homedir(), tmpdir()]
  .filter((path) => path.length > 1)
  .map((path) => `${path}/`);

/** Methods that answer with a list. */
const BATCH_METHODS: ReadonlySet<string> = new Set(GUARD.batchMethods);

/** Methods that answer with the path they changed. */
const CHANGES: ReadonlySet<string> = new Set(GUARD.changes);

/** Checks what every result must obey, whatever was asked. Throws {@link CheckFailure}. */
export function checkResult(
  method: string,
  args: readonly unknown[],
  result: unknown,
  context: { readonly codes: boolean; readonly secrets: readonly string[] },
): void {
  if (method === "execute") return;
  const results = BATCH_METHODS.has(method) ? result : [result];
  if (!Array.isArray(results)) throw broken("A2", `${method} must answer with a list`, result);
  for (const item of results as unknown[]) {
    if (typeof item !== "object" || item === null)
      throw broken("A2", `${method} must answer with a result object`, item);
    checkError(method, args, item as Record<string, unknown>, context);
    checkTypes(method, item as Record<string, unknown>);
    checkPaths(method, item as Record<string, unknown>);
  }
}

function checkError(
  method: string,
  args: readonly unknown[],
  result: Record<string, unknown>,
  { codes, secrets }: { readonly codes: boolean; readonly secrets: readonly string[] },
): void {
  const { error, code } = result;
  if (error === undefined || error === null) {
    if (code !== undefined)
      throw broken("A2", `${method} answered a code without an error`, result);
    return;
  }
  if (typeof error !== "string" || error.trim() === "")
    throw broken("A2", `The error of ${method} must be a sentence`, result);
  // A batch has four words for its errors, and foreign backends of no codes have words of their own.
  if (codes && !BATCH_METHODS.has(method) && !/\S\s+\S/.test(error))
    throw broken("A2", `The error of ${method} must be a sentence, not a word`, result);
  if (codes && BATCH_METHODS.has(method) && !BATCH_ERRORS.has(error))
    throw broken("T2", `An error of ${method} must be one of four words`, result);
  const held = BATCH_METHODS.has(method) ? GUARD.batchDataFields : GUARD.dataFields;
  const both = held.find((field) => result[field] !== undefined && result[field] !== null);
  if (both !== undefined)
    throw broken("A2", `${method} answered an error and '${both}' at once`, result);
  if (codes && !CODES.has(code))
    throw broken("A10", `The failure of ${method} must carry one of the stable codes`, result);
  checkSecrets(method, args, error, secrets);
}

function checkSecrets(
  method: string,
  args: readonly unknown[],
  error: string,
  secrets: readonly string[],
): void {
  let shown: string | undefined;
  // Only where something was found: arguments may be large.
  const given = { includes: (text: string) => (shown ??= show(args, Infinity)).includes(text) };
  for (const secret of [...secrets, ...HOST_PATHS]) {
    if (secret !== "" && error.includes(secret) && !given.includes(secret))
      throw broken("A6", `The error of ${method} shows what agents must not see`, { error });
  }
  if (/\/\/[^/\s:@]+:[^/\s@]+@/.test(error) && !given.includes("@"))
    throw broken("A6", `The error of ${method} holds the credentials of an address`, { error });
  if (/\n\s+at .+:\d+:\d+/.test(error))
    throw broken("A6", `The error of ${method} holds a stack trace`, { error });
}

function checkPaths(method: string, result: Record<string, unknown>): void {
  if (CHANGES.has(method)) checkOwnPath(method, result["path"]);
  const listed: unknown = method === "grep" ? result["matches"] : result["files"];
  if ((method === "grep" || method === "glob" || method === "ls") && Array.isArray(listed)) {
    for (const entry of listed as unknown[]) checkEntry(method, entry);
  }
}

/** A3: where a change says which path it was, it says so canonically. */
function checkOwnPath(method: string, path: unknown): void {
  if (path === undefined) return;
  const canonical =
    typeof path === "string" &&
    path.startsWith("/") &&
    (path === "/" ||
      path
        .slice(1)
        .split("/")
        .every((s) => s !== "" && s !== "." && s !== ".."));
  if (!canonical) throw broken("A3", `${method} must answer an absolute, canonical path`, { path });
}

function checkEntry(method: string, entry: unknown): void {
  const path: unknown =
    typeof entry === "object" && entry !== null && "path" in entry ? entry.path : undefined;
  if (typeof path !== "string") throw broken("A3", `An entry of ${method} has no path`, entry);
  const isDirectory =
    typeof entry === "object" && entry !== null && "is_dir" in entry && entry.is_dir === true;
  const name = path.length > 1 && isDirectory && path.endsWith("/") ? path.slice(0, -1) : path;
  const canonical =
    name.startsWith("/") &&
    !name
      .slice(1)
      .split("/")
      .some((s) => s === "" || s === "." || s === "..");
  if (!canonical) throw broken("A3", `${method} must list absolute, canonical paths`, entry);
  if (isDirectory !== path.endsWith("/"))
    throw broken(
      "A3",
      `In ${method}, a directory ends in '/' and says is_dir, and a file does neither`,
      entry,
    );
}

function broken(rule: string, sentence: string, received: unknown): CheckFailure {
  return new CheckFailure(`${sentence}.`, {
    rule,
    difference: `+ received ${show(received, 600)}`,
  });
}
