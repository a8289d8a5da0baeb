import { execFile, execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Compiles the package, so that processes without a loader can run it. Quick when nothing has changed. */
export function buildPackage(): void {
  const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
  const compiler = join(dirname(manifest), "bin", "tsc");
  execFileSync(process.execPath, [compiler, "-b", join(import.meta.dirname, "..")]);
}

/** What a command came to. */
export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built `fs-conformance`, in a folder. */
export function fsConformance(args: readonly string[], cwd: string): Promise<Ended> {
  const main = join(import.meta.dirname, "..", "dist", "cli", "main.js");
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { cwd }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
  });
}
