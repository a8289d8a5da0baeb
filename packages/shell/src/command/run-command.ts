import { spawn, type ChildProcess } from "node:child_process";
import type { ExecuteResponse } from "@fs/protocol";
import { failureFromThrown } from "@fs/protocol/author";
import { CapturedOutput } from "./captured-output.js";
import { killGroup } from "./process-group.js";

/** Milliseconds between asking a process group to end and ending it. */
const TERM_GRACE = 150;
/** Milliseconds that output may still arrive after the command itself has ended. */
const DRAIN_GRACE = 100;
/** Milliseconds after which a grandchild that keeps writing is not listened to any more. */
const MAX_DRAIN = 1000;

/** A program to run as one command. */
export interface CommandRun {
  readonly file: string;
  readonly args: readonly string[];
  /** Host directory. */
  readonly cwd: string;
  /** The whole environment of the command. */
  readonly env: Readonly<Record<string, string>>;
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
export function runCommand(run: CommandRun): Promise<ExecuteResponse> {
  return new Promise((resolve) => {
    const output = new CapturedOutput(run.maxOutputBytes);
    const child = spawn(run.file, [...run.args], {
      cwd: run.cwd,
      env: { ...run.env },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    let ending: Ending | undefined;
    const end = (how: Ending): void => {
      ending ??= how;
      killGroup(child, "SIGTERM");
      setTimeout(() => killGroup(child, "SIGKILL"), TERM_GRACE).unref();
      // A grandchild that left the group may hold the pipe for ever: the answer does not wait for it.
      setTimeout(finish, TERM_GRACE + DRAIN_GRACE);
    };
    const timer =
      run.timeout > 0 ? setTimeout(() => end("timeout"), run.timeout * 1000) : undefined;
    const onAbort = (): void => end("aborted");
    run.signal?.addEventListener("abort", onAbort, { once: true });
    child.stdout.on("data", (chunk: Buffer) => output.add(chunk));
    child.stderr.on("data", (chunk: Buffer) => output.add(chunk));

    let exit: { code: number | null; signal: NodeJS.Signals | null } = { code: null, signal: null };
    let settled = false;
    const finish = (): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      run.signal?.removeEventListener("abort", onAbort);
      killGroup(child, "SIGKILL");
      release(child);
      resolve(responseOf(output, exit, ending, run.timeout));
    };
    child.once("error", (error) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      const failed = failureFromThrown(error, "the command");
      resolve({
        output: "",
        exitCode: null,
        truncated: false,
        error: "The command could not be started.",
        code: failed.code,
      });
    });
    child.once("exit", (code, signal) => {
      exit = { code, signal };
      drain(output, 0, finish);
    });
    child.once("close", finish);
    if (run.signal?.aborted === true) end("aborted");
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

function release(child: ChildProcess): void {
  child.stdout?.destroy();
  child.stderr?.destroy();
  child.unref();
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
