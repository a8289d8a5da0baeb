import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..", "..", "..");

/**
 * Compiles projects of this repository, as `packages/disk`, so that processes without a loader can run what a user would get.
 * Quick when nothing has changed.
 */
export function buildProjects(...folders: readonly string[]): void {
  const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
  const compiler = join(dirname(manifest), "bin", "tsc");
  const projects = folders.map((folder) => join(root, folder));
  execFileSync(process.execPath, [compiler, "-b", ...projects]);
}
