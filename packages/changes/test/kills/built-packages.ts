import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Compiles packages, so that processes without a loader can run what a user would get. Quick when nothing has changed. */
export function buildPackages(...names: readonly string[]): void {
  const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
  const compiler = join(dirname(manifest), "bin", "tsc");
  const folders = names.map((name) => join(import.meta.dirname, "..", "..", "..", name));
  execFileSync(process.execPath, [compiler, "-b", ...folders]);
}
