import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Names of configuration files, in the order in which they are looked for. */
export const CONFIG_NAMES = [
  "fs.config.json",
  "fs.config.yaml",
  "fs.config.yml",
  "fs.config.js",
  "fs.config.mjs",
  "fs.config.ts",
] as const;

/** Whether a configuration is a program, which runs when it is read. */
export function isModule(file: string): boolean {
  return /\.(?:js|mjs|ts)$/.test(file);
}

/**
 * The configuration for a folder: one in it, or a data file further up within the same git repository. A program further
 * up is never run. `undefined` when there is none.
 */
export function findConfig(folder: string): string | undefined {
  const here = fileIn(folder, CONFIG_NAMES);
  if (here !== undefined) return here;
  const top = repositoryOf(folder);
  if (top === undefined) return undefined;
  const data = CONFIG_NAMES.filter((name) => !isModule(name));
  for (let at = folder; at !== top;) {
    at = dirname(at);
    const file = fileIn(at, data);
    if (file !== undefined) return file;
  }
  return undefined;
}

function fileIn(folder: string, names: readonly string[]): string | undefined {
  return names.map((name) => join(folder, name)).find((file) => existsSync(file));
}

/** The folder at or above this one that is a git repository. */
function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at;
    if (dirname(at) === at) return undefined;
  }
}
