import { ConfigurationError } from "@fs/protocol";
import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { isRecord } from "./check.js";
import { type Config, DEFAULT_CONFIG, parseConfig } from "./config.js";
import { findConfig, isModule } from "./find-config.js";

/** A configuration and where it is from. */
export interface LoadedConfig {
  readonly config: Config;
  /** Absolute; `undefined` for the default. */
  readonly file: string | undefined;
  /** What relative directories in it are relative to. */
  readonly folder: string;
}

/** Where {@link loadConfig} looks. */
export interface LoadOptions {
  /** A file to read instead of looking for one, relative to {@link cwd}. */
  readonly file?: string | undefined;
  /** Default: the current folder. */
  readonly cwd?: string;
}

/**
 * Reads the configuration that is named, or finds one: in the folder, or as a data file further up within the same git
 * repository; otherwise {@link DEFAULT_CONFIG}. A program (`.js`, `.mjs`, `.ts`) runs only where it is named or in the
 * folder itself.
 *
 * Rejects with a ConfigurationError that names the file and the line, and nothing of its content.
 */
export async function loadConfig({
  file,
  cwd = process.cwd(),
}: LoadOptions = {}): Promise<LoadedConfig> {
  const found = file === undefined ? findConfig(cwd) : resolve(cwd, file);
  if (found === undefined) return { config: DEFAULT_CONFIG, file: undefined, folder: cwd };
  const value = isModule(found) ? await readModule(found) : await readData(found);
  return { config: parseConfig(value, basename(found)), file: found, folder: dirname(found) };
}

async function readData(file: string): Promise<unknown> {
  const name = basename(file);
  const text = await textOf(file);
  return /\.ya?ml$/.test(file) ? parseYaml(text, name) : parseJson(text, name);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const code: unknown = Reflect.get(Object(error), "code");
    const reason = typeof code === "string" ? ` (${code})` : "";
    throw new ConfigurationError(`${basename(file)} cannot be read${reason}.`);
  }
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The parser's own message quotes the file, which may hold a password.
    const at = /position (\d+)/.exec(error.message)?.[1];
    const line = at === undefined ? "" : `, line ${text.slice(0, Number(at)).split("\n").length}`;
    throw new ConfigurationError(`${name}${line}: this is not JSON.`);
  }
}

async function parseYaml(text: string, name: string): Promise<unknown> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text, { prettyErrors: true });
  const [problem] = document.errors;
  if (problem !== undefined) {
    const line = problem.linePos === undefined ? "" : `, line ${problem.linePos[0].line}`;
    throw new ConfigurationError(`${name}${line}: this is not YAML (${problem.code}).`);
  }
  return document.toJS({ maxAliasCount: 100 }) as unknown;
}

async function readModule(file: string): Promise<unknown> {
  const name = basename(file);
  if (file.endsWith(".ts") && !stripsTypes())
    throw new ConfigurationError(
      `${name}: this Node does not run TypeScript; it needs 22.18 or later, or a .mjs file.`,
    );
  let loaded: unknown;
  try {
    loaded = await import(pathToFileURL(file).href);
  } catch (error) {
    const kind = error instanceof Error ? error.constructor.name : typeof error;
    throw new ConfigurationError(`${name} cannot be run (${kind}).`);
  }
  const value = isRecord(loaded) ? loaded["default"] : undefined;
  if (value === undefined) throw new ConfigurationError(`${name} has no default export.`);
  return value;
}

function stripsTypes(): boolean {
  return Boolean(Reflect.get(process.features, "typescript"));
}
