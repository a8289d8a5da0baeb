import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Writes a file that the command line names, and the folders above it. */
export function writeOutput(file: string, text: string): void {
  const path = resolve(file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
