import { fork, spawn, type ChildProcess } from "node:child_process";

export type { ChildProcess } from "node:child_process";

/** Starts a program that reads requests and writes answers. Its end, and that it could not be started, are its events. */
export function startProgram(
  program: string,
  args: readonly string[],
  cwd: string | undefined,
): ChildProcess {
  return withErrorListener(
    spawn(program, args, {
      stdio: ["pipe", "pipe", "pipe"],
      ...(cwd === undefined ? {} : { cwd }),
    }),
  );
}

/**
 * Starts a module of this package in a Node process of its own, which sends messages. Rejects with the error of the system
 * when it does not start: such a child has no process id, and must never be signalled.
 */
export async function startModule(module: URL): Promise<ChildProcess> {
  const child = withErrorListener(fork(module, [], { stdio: ["ignore", "pipe", "pipe", "ipc"] }));
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", resolve).once("error", reject);
  });
  return child;
}

/** Ends a process that was started here, unless it has ended: its number may belong to another one by then. */
export function endProgram(child: ChildProcess): void {
  const runs = child.exitCode === null && child.signalCode === null;
  if (child.pid !== undefined && runs) child.kill("SIGKILL");
}

/** An `error` that comes before its reader listens would end this process. */
function withErrorListener(child: ChildProcess): ChildProcess {
  return child.on("error", () => undefined);
}
