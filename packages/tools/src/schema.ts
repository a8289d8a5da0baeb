import { z } from "zod";

/** Names that models use for an argument instead of the one in the schema. */
export type Aliases = Readonly<Record<string, string>>;

/** What models call `file_path`. */
export const FILE_PATH_ALIASES: Aliases = {
  path: "file_path",
  file: "file_path",
  filename: "file_path",
};
/** What models call `path`. */
export const DIRECTORY_ALIASES: Aliases = {
  file_path: "path",
  directory: "path",
  dir: "path",
  dir_path: "path",
};

/**
 * A tool's schema that also accepts what weak models write: another spelling of a name, such as `dryRun`, or an alias for
 * it, a number, a flag or a list as a string, `null` for a default. The JSON schema shown to the model is the one of
 * `shape` alone.
 *
 * @param texts Names whose default is right only where no value was given: where one is absent and an unknown argument has a
 * value, that value was meant for it, and the call is refused.
 */
export function tolerantSchema<Shape extends z.ZodRawShape>(
  shape: Shape,
  aliases: Aliases = {},
  texts: ReadonlyArray<keyof Shape & string> = [],
) {
  const strict = z.object(shape);
  const kinds = new Map(Object.entries(strict.shape).map(([name, type]) => [name, kindOf(type)]));
  const spellings = new Map([
    ...Object.entries(aliases).map(([alias, name]): [string, string] => [folded(alias), name]),
    ...[...kinds.keys()].map((name): [string, string] => [folded(name), name]),
  ]);
  return z.preprocess((input, context) => {
    const given = parsedObject(input);
    if (given === undefined) return input;
    const args: Record<string, unknown> = {};
    const strangers: string[] = [];
    for (const [key, value] of Object.entries(given)) {
      if (!isGiven(value)) continue;
      const name = kinds.has(key) ? key : spellings.get(folded(key));
      if (name === undefined) strangers.push(key);
      else if (name === key || !isGiven(given[name])) args[name] = coerced(value, kinds.get(name));
    }
    const [stranger] = strangers;
    const missing = texts.find((name) => !Object.hasOwn(args, name));
    if (stranger !== undefined && missing !== undefined) {
      const message = `It is missing, and there is no argument '${stranger}'`;
      context.addIssue({ code: "custom", path: [missing], message });
    }
    return args;
  }, strict);
}

/** One form of `dry_run`, `dryRun`, `dry-run` and `DRY_RUN`. */
function folded(name: string): string {
  return name.replace(/[-_]/g, "").toLowerCase();
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function kindOf(type: unknown): "number" | "boolean" | "array" | "string" | undefined {
  if (type instanceof z.ZodDefault || type instanceof z.ZodNullable) return kindOf(type.unwrap());
  if (type instanceof z.ZodNumber) return "number";
  if (type instanceof z.ZodBoolean) return "boolean";
  if (type instanceof z.ZodArray) return "array";
  return type instanceof z.ZodString ? "string" : undefined;
}

function parsedObject(input: unknown): Record<string, unknown> | undefined {
  const value = typeof input === "string" ? parsedJson(input) : input;
  return isRecord(value) ? value : undefined;
}

function coerced(value: unknown, kind: ReturnType<typeof kindOf>): unknown {
  if (kind === "string" && (typeof value === "number" || typeof value === "boolean"))
    return String(value);
  if (typeof value !== "string") return value;
  const text = value.trim();
  if (kind === "number") return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : value;
  if (kind === "boolean")
    return /^(?:true|false)$/i.test(text) ? text.toLowerCase() === "true" : value;
  if (kind !== "array") return value;
  return text.startsWith("[") ? (parsedJson(text) ?? value) : [value];
}

/** The value of a JSON text, or `undefined`: the schema then says what is wrong with it. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Whether a value is an object with named properties. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
