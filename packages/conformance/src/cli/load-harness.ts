import { basename, extname } from "node:path";
import { pathToFileURL } from "node:url";
import type { Harness, HarnessLike } from "../harness/harness.js";
import { harnessOf } from "../harness/harness.js";
import { isModuleKindError, TYPE_MODULE_HINT } from "./module-kind.js";
import { UsageError } from "./usage-error.js";

/**
 * The harness that a file exports by default: a `Harness`, or a function that makes a backend, whose profile is then
 * found out by trying. Throws a {@link UsageError} that says what the file exports instead.
 */
export async function loadHarness(file: string): Promise<Harness> {
  const exported = defaultOf(await imported(file));
  const name = basename(file, extname(file));
  if (isClass(exported))
    throw new UsageError(
      `${basename(file)} exports a class. Export a function that makes one: export default ({ ns }) => new ${exported.name}(ns)`,
    );
  if (typeof exported === "function") {
    const harness = harnessOf(exported as HarnessLike);
    return { ...harness, name };
  }
  if (typeof exported !== "object" || exported === null)
    throw new UsageError(
      `${basename(file)} has no default export. Export a harness, or a function that makes a backend: export default ({ ns }) => new MyBackend(ns)`,
    );
  if (typeof Reflect.get(exported, "create") !== "function")
    throw new UsageError(
      `The default export of ${basename(file)} has no 'create'. A harness is { name, create: ({ ns }) => backend, profile? }; a backend alone will not do, since every case needs an empty one.`,
    );
  return typeof Reflect.get(exported, "name") === "string"
    ? (exported as Harness)
    : Object.assign(exported as Harness, { name });
}

async function imported(file: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    const code: unknown =
      error instanceof Error && "code" in error ? error.code : "no code of an error";
    if (code === "ERR_UNKNOWN_FILE_EXTENSION")
      throw new UsageError(
        `This Node cannot load ${basename(file)}. Compile it first, or run with NODE_OPTIONS='--import tsx'.`,
      );
    if (isModuleKindError(error))
      throw new UsageError(
        `${basename(file)}, or what it imports, is an ES module that Node takes for CommonJS. ${TYPE_MODULE_HINT}\n${reasonOf(error)}`,
      );
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    throw new UsageError(`${basename(file)} could not be loaded: ${text}`);
  }
}

/** Node's own sentence, and where it is about a line, that line. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return text.split(/\n\s+at /, 1)[0] ?? text;
}

/** A module compiled to CommonJS has its default export one level further down. */
function defaultOf(module: unknown): unknown {
  let value: unknown = module;
  for (let depth = 0; depth < 2; depth++) {
    if (typeof value !== "object" || value === null || !("default" in value)) break;
    value = value.default;
  }
  return value === module ? undefined : value;
}

function isClass(value: unknown): value is { name: string } {
  return typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));
}
