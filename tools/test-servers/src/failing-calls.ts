import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adoptDirectory } from "./orphans.js";

const SOURCE = join(import.meta.dirname, "..", "native", "failing-calls.c");
const compiler = ["cc", "gcc", "clang"].find((name) => spawnSync(name, ["--version"]).status === 0);

/** Whether {@link failingCalls} works here: on Linux, with a C compiler. */
export const canFailCalls = process.platform === "linux" && compiler !== undefined;

let library: string | undefined;

/**
 * The environment of a process in which calls of the C library on a path that holds the text `faulty` fail as if the machine
 * did, with an `errno` as `os.constants.errno` has it.
 */
export function failingCalls(errno: number): NodeJS.ProcessEnv {
  if (library === undefined) {
    const file = join(adoptDirectory(mkdtempSync(join(tmpdir(), "fs-failing-calls-"))), "calls.so");
    execFileSync(compiler ?? "cc", ["-shared", "-fPIC", "-o", file, SOURCE, "-ldl"]);
    library = file;
  }
  return {
    ...process.env,
    LD_PRELOAD: library,
    FAULTY_ERRNO: String(errno),
  };
}
