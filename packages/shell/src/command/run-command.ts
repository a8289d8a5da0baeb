import type { ExecuteResponse } from "@fs/protocol";
import { onAbort } from "@fs/protocol/async";
import { failureFromThrown } from "@fs/protocol/author";
import { CapturedOutput } from "./captured-output.js";
import { failedCommand } from "./check-command.js";
import { startProgram, type Exit, type Program, type RunningProgram } from "./start-program.js";

/** Milliseconds between asking a process group to end and ending it. */
const TERM_GRACE = 150;
/** Milliseconds that output may still arrive after the command itself has ended. */
const DRAIN_GRACE = 100;
/** Milliseconds after which a grandchild that keeps writing is not listened to any more. */
const MAX_DRAIN = 1000;

/** A program to run as one command. */
export interface CommandRun extends Program {
  /** Seconds; 0 means none. */
  readonly timeout: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** How a command ended before it ended by itself. */
type Ending = "timeout" | "aborted";

/**
 * Runs a program in a process group of its own, with standard input closed and its output captured as it streams. Whatever
 * it leaves running in its group is killed when it ends, so that nothing outlives the call. Never rejects.
 */
export async function runCommand(run: CommandRun): Promise<ExecuteResponse> {
  if (run.signal?.aborted === true)
    return failedCommand("aborted", "The command was aborted before it began.");
  let program: RunningProgram;
  try {
    program = await startProgram(run);
  } catch (error) {
    const { code } = failureFromThrown(error, "the command");
    return failedCommand(code, "The command could not be started.");
  }
  return attend(program, run);
}

/** Waits for a command that runs, and ends it when its time is up. */
function attend(program: RunningProgram, run: CommandRun): Promise<ExecuteResponse> {
  return new Promise((resolve) => {
    const output = new CapturedOutput(run.maxOutputBytes);
    let ending: Ending | undefined;
    let exit: Exit = { code: null, signal: null };
    let settled = false;
    const finish = (): void => {
      if (settled) return;
      settled = true;
      for (const timer of [timeLimit, ...grace]) clearTimeout(timer);
      stopListening?.();
      program.kill("SIGKILL");
      program.release();
      resolve(responseOf(output, exit, ending, run.timeout));
    };
    const grace: NodeJS.Timeout[] = [];
    const end = (how: Ending): void => {
      ending ??= how;
      program.kill("SIGTERM");
      grace.push(
        setTimeout(() => program.kill("SIGKILL"), TERM_GRACE),
        // A grandchild that left the group may hold the pipe without end: the answer does not wait for it.
        setTimeout(finish, TERM_GRACE + DRAIN_GRACE),
      );
    };
    const abort = (): void => end("aborted");
    const timeLimit =
      run.timeout > 0 ? setTimeout(() => end("timeout"), run.timeout * 1000) : undefined;
    const stopListening = run.signal && onAbort(run.signal, abort);
    for (const stream of [program.stdout, program.stderr]) {
      stream.on("data", (chunk: Buffer) => output.add(chunk));
      // What was read until then is the output; how the command ended comes by its exit.
      stream.on("error", () => stream.destroy());
    }
    program.onExit((how) => {
      exit = how;
      drain(output, 0, finish);
    });
    program.onClose(finish);
    // Fired while the program was being started.
    if (run.signal?.aborted === true) abort();
  });
}

/**
 * Waits for what a command that has ended still has in the pipe, as long as some arrives: on a busy machine timers fire
 * before the pipe is read, so each look comes after a turn of reading.
 */
function drain(output: CapturedOutput, waited: number, finish: () => void): void {
  const seen = output.received;
  setTimeout(() => {
    setImmediate(() => {
      const more = output.received !== seen && waited < MAX_DRAIN;
      if (more) drain(output, waited + DRAIN_GRACE, finish);
      else finish();
    });
  }, DRAIN_GRACE);
}

function responseOf(
  output: CapturedOutput,
  { code, signal }: { code: number | null; signal: NodeJS.Signals | null },
  ending: Ending | undefined,
  timeout: number,
): ExecuteResponse {
  const { truncated } = output;
  const text = output.text();
  if (ending === "timeout") {
    const error = `The command was ended after ${timeout} s.`;
    return { output: noted(text, error), exitCode: null, truncated, error, code: "timeout" };
  }
  if (ending === "aborted") {
    return {
      output: text,
      exitCode: null,
      truncated,
      error: "The command was aborted.",
      code: "aborted",
    };
  }
  if (signal !== null)
    return {
      output: noted(text, `The command was ended by ${signal}.`),
      exitCode: null,
      truncated,
    };
  return { output: text, exitCode: code, truncated };
}

/** A note that any reader of the output sees, also one that knows no codes. */
function noted(text: string, note: string): string {
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}[${note}]\n`;
}
