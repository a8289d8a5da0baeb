import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { codeBlocks } from "@fs/readme-examples";
import { root } from "../src/repository.js";

/** Runs a program to its end; rejects when it fails. */
export const run = promisify(execFile);

/** The page whose backend is tried. */
export const page = join(root, "docs/start/custom-backend.md");

const cli = createRequire(import.meta.url).resolve("@fs/conformance/package.json");

/** The programs of the page as files of a folder, and the suite on them. */
export interface PageBackend {
  readonly folder: string;
  conformance(...args: readonly string[]): Promise<{ stdout: string; stderr: string }>;
  remove(): Promise<void>;
}

export async function writePageBackend(): Promise<PageBackend> {
  // Below this package, so that its imports resolve as those of a project that installed them.
  const folder = await mkdtemp(join(root, "apps/docs/.build-page-"));
  for (const { code, info } of codeBlocks(page)) {
    const name = /^\/\/ (\S+\.mjs)\n/.exec(code)?.[1];
    if (info === "js" && name !== undefined) await writeFile(join(folder, name), code);
  }
  return {
    folder,
    conformance: (...args) =>
      run(process.execPath, [join(cli, "../dist/cli/main.js"), "./conformance.mjs", ...args], {
        cwd: folder,
        maxBuffer: 64 * 1024 * 1024,
      }),
    remove: () => rm(folder, { recursive: true }),
  };
}
