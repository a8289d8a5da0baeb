import { spawn } from "node:child_process";
import { killGroup } from "./process-group.js";

/** A program that takes bytes and gives bytes. */
export interface Transfer {
  readonly file: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  /** What it reads from standard input. Default: nothing. */
  readonly input?: Uint8Array | undefined;
  /** Bytes of output at which it is ended. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** What a program gave. `tooMuch` when it was ended for its output. */
export interface Transferred {
  readonly exitCode: number | null;
  readonly bytes: Buffer;
  readonly tooMuch: boolean;
}

/** Runs a program with bytes in and bytes out, in bounded memory. Rejects when it cannot be started. */
export function transfer(job: Transfer): Promise<Transferred> {
  return new Promise((resolve, reject) => {
    const child = spawn(job.file, [...job.args], {
      ...(job.cwd === undefined ? {} : { cwd: job.cwd }),
      env: { ...job.env },
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let tooMuch = false;
    const kill = (): void => killGroup(child, "SIGKILL");
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      tooMuch ||= size > job.maxBytes;
      if (tooMuch) kill();
      else chunks.push(chunk);
    });
    // A program that does not read all of its input breaks the pipe; its exit code tells.
    child.stdin.on("error", () => child.stdin.destroy());
    child.stdin.end(job.input ?? Buffer.alloc(0));
    job.signal?.addEventListener("abort", kill, { once: true });
    child.once("error", reject);
    child.once("close", (exitCode) => {
      job.signal?.removeEventListener("abort", kill);
      resolve({ exitCode, bytes: Buffer.concat(chunks), tooMuch });
    });
  });
}
