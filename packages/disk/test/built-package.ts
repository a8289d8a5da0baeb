import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Compiles the package, so that processes without a loader can run it. Quick when nothing has changed. */
export function buildPackage(): void {
  const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
  const compiler = join(dirname(manifest), "bin", "tsc");
  execFileSync(process.execPath, [compiler, "-b", join(import.meta.dirname, "..")]);
}
