import { z } from "zod";

/** Names that models use for an argument instead of the one in the schema. */
export type Aliases = Readonly<Record<string, string>>;

const PATH_ALIASES: Aliases = {
  path: "file_path",
  filepath: "file_path",
  filePath: "file_path",
  file: "file_path",
  filename: "file_path",
};

/** What models call `file_path`. */
export const FILE_PATH_ALIASES: Aliases = PATH_ALIASES;
/** What models call `path`. */
export const DIRECTORY_ALIASES: Aliases = {
  file_path: "path",
  directory: "path",
  dir: "path",
  dir_path: "path",
};

/**
 * A tool's schema that also accepts what weak models write: an alias for a name, a number, a flag or a list as a
 * string, `null` for a default. The JSON schema shown to the model is the one of `shape` alone.
 */
export function tolerantSchema<Shape extends z.ZodRawShape>(shape: Shape, aliases: Aliases = {}) {
  const strict = z.object(shape);
  const kinds = new Map(Object.entries(strict.shape).map(([name, type]) => [name, kindOf(type)]));
  return z.preprocess((input) => {
    const given = parsedObject(input);
    if (given === undefined) return input;
    const args: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(given)) {
      const alias = Object.hasOwn(aliases, key) ? aliases[key] : undefined;
      const name = kinds.has(key) ? key : alias;
      if (name === undefined || value === null || value === undefined) continue;
      if (name === key || !Object.hasOwn(given, name)) args[name] = coerced(value, kinds.get(name));
    }
    return args;
  }, strict);
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
