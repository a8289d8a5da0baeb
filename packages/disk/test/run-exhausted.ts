import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What a fixture printed: its outcomes, and what became of a process beside it. */
export interface Exhausted<Outcome> {
  readonly outcomes: readonly Outcome[];
  readonly bystander: string | number;
}

/** Runs a fixture in a process that may open 256 files, on a directory, with up to so many of them free. */
export async function runExhausted<Outcome>(
  fixture: string,
  directory: string,
  most: number,
): Promise<Exhausted<Outcome>> {
  const command = `ulimit -n 256; exec "$0" "$@"`;
  const args = ["-c", command, process.execPath, fixture, directory, String(most)];
  const { stdout } = await run("/bin/sh", args);
  return JSON.parse(stdout) as Exhausted<Outcome>;
}
