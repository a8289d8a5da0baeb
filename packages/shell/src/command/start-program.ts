import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";

/** A program to start, in a process group of its own. */
export interface Program {
  readonly file: string;
  /** What the program is called to others, when that is not its path. */
  readonly name?: string | undefined;
  readonly args: readonly string[];
  /** Host directory. Default: that of this process. */
  readonly cwd?: string | undefined;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** What it reads from standard input. Default: nothing, the input is closed. */
  readonly input?: Uint8Array | undefined;
  /** What it reads from descriptor 3, which no other process can see. Default: there is none. */
  readonly settings?: Uint8Array | undefined;
}

/** How a program ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A program that runs. */
export interface RunningProgram {
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Calls a listener when the program itself has ended. */
  onExit(listener: (exit: Exit) => void): void;
  /** Calls a listener when its output is closed too, which a process that it left behind may hold open. */
  onClose(listener: (exit: Exit) => void): void;
  /** Sends a signal to its process group, as long as there is one. */
  kill(signal: NodeJS.Signals): void;
  /** Stops listening to its output and waiting for it. Nothing is signalled afterwards. */
  release(): void;
}

/**
 * Starts a program. The only place of this package that does.
 *
 * Rejects with the error of the system (`ENOENT`, `EMFILE` …) when it does not start. Such a child has neither streams nor a
 * process id, so there is nothing to read, to time or to kill before this resolves.
 */
export async function startProgram(program: Program): Promise<RunningProgram> {
  const { file, name, args, cwd, env, input, settings } = program;
  // Not imported: a program that only reads files starts without it.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(file, [...args], {
    ...(cwd === undefined ? {} : { cwd }),
    ...(name === undefined ? {} : { argv0: name }),
    env: { ...env },
    detached: true,
    windowsHide: true,
    stdio: [
      input === undefined ? "ignore" : "pipe",
      "pipe",
      "pipe",
      ...(settings === undefined ? [] : (["pipe"] as const)),
    ],
  });
  await new Promise<void>((resolve, reject) => {
    child.once("spawn", () => resolve());
    // Stays: a signal that cannot be sent is reported here too, and an event without a listener would end this process.
    child.on("error", reject);
  });
  const group = new ProcessGroup(child);
  feed(child, 0, input);
  feed(child, 3, settings);
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("The program has no output.");
  return {
    stdout,
    stderr,
    onExit: (listener) => void child.once("exit", (code, signal) => listener({ code, signal })),
    onClose: (listener) => void child.once("close", (code, signal) => listener({ code, signal })),
    kill: (signal) => group.kill(signal),
    release: () => {
      group.release();
      for (const stream of child.stdio) stream?.destroy();
      child.unref();
    },
  };
}

/** Gives a program its input. One that does not read all of it breaks the pipe, and its exit code says what that means. */
function feed(child: ChildProcess, descriptor: number, bytes: Uint8Array | undefined): void {
  const stream = child.stdio[descriptor];
  if (bytes === undefined || stream === undefined || stream === null || !("end" in stream)) return;
  stream.on("error", () => stream.destroy());
  stream.end(bytes);
}

/**
 * The process group that a child leads. Its number belongs to it while one of its processes lives, and may be given to
 * another group afterwards: so a group that was seen empty, or that was released, is never signalled again.
 */
class ProcessGroup {
  readonly #leader: ChildProcess;
  #over = false;

  constructor(leader: ChildProcess) {
    this.#leader = leader;
    // Right after the leader was waited for: what lives in the group now keeps its number.
    leader.once("exit", () => this.#send(0));
  }

  kill(signal: NodeJS.Signals): void {
    this.#send(signal);
  }

  release(): void {
    this.#over = true;
  }

  #leaderRuns(): boolean {
    return this.#leader.exitCode === null && this.#leader.signalCode === null;
  }

  #send(signal: NodeJS.Signals | 0): void {
    const { pid } = this.#leader;
    if (this.#over || pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      if (error.code === "ESRCH") this.#over = true;
      // Not ours to signal, as a set-user-id program: what is left is the child itself.
      else if (signal !== 0 && this.#leaderRuns()) this.#leader.kill(signal);
    }
  }
}
