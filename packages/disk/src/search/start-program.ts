import type { Readable } from "node:stream";

/** A program that runs. */
export interface RunningProgram {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The exit code, `null` when a signal ended it, once all output was read. Never rejects. */
  readonly ended: Promise<number | null>;
  /** Ends it with SIGKILL; does nothing once it has ended. */
  kill(): void;
}

/**
 * Starts a program without a shell, input or environment. The only place of this package that does.
 *
 * Rejects with the error of the system (`ENOENT`, `EMFILE` …) when it does not start. Such a child has no process id, and
 * Node would send a signal to whatever number is left in its place: so there is nothing to kill before this resolves.
 */
export async function startProgram(file: string, args: readonly string[]): Promise<RunningProgram> {
  // Not imported: a program that never searches starts without it.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(file, [...args], {
    cwd: "/",
    env: {},
    stdio: ["ignore", "pipe", "pipe"],
    windowsHide: true,
  });
  const ended = new Promise<number | null>((resolve) => {
    child.once("close", (code) => resolve(code));
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", () => resolve());
    // Stays: a kill that fails is reported here too, and an event without a listener would end this process.
    child.on("error", reject);
  });
  return {
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    kill: () => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    },
  };
}
