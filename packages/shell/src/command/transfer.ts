import { onAbort } from "@fs/protocol/async";
import { VolumeError } from "@fs/protocol/author";
import { startProgram, type Exit, type Program } from "./start-program.js";

/** A program that takes bytes and gives bytes. */
export interface Transfer extends Program {
  /** Bytes of output at which it is ended. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** What a program gave. `tooMuch` when it was ended for its output. */
export interface Transferred {
  readonly exitCode: number | null;
  readonly bytes: Uint8Array;
  readonly tooMuch: boolean;
}

/**
 * Runs a program with bytes in and bytes out, in bounded memory. Rejects with the error of the system when it does not
 * start, and throws `aborted`.
 */
export async function transfer(job: Transfer): Promise<Transferred> {
  if (isAborted(job)) throw new VolumeError("aborted");
  const program = await startProgram({ ...job, input: job.input ?? new Uint8Array() });
  const chunks: Buffer[] = [];
  let size = 0;
  const kill = (): void => program.kill("SIGKILL");
  program.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > job.maxBytes) kill();
    else chunks.push(chunk);
  });
  // Both are read to their end, so that neither holds the program up; its exit code says whether the bytes are all.
  program.stderr.resume();
  for (const stream of [program.stdout, program.stderr]) stream.on("error", kill);
  const stopListening = job.signal && onAbort(job.signal, kill);
  // Fired while the program was being started.
  if (isAborted(job)) kill();
  const { code } = await new Promise<Exit>((resolve) => {
    program.onClose(resolve);
  });
  stopListening?.();
  program.release();
  if (isAborted(job) && code !== 0) throw new VolumeError("aborted");
  const { buffer, byteOffset, length } = Buffer.concat(chunks);
  const bytes = new Uint8Array(buffer, byteOffset, length);
  return { exitCode: code, bytes, tooMuch: size > job.maxBytes };
}

function isAborted({ signal }: Transfer): boolean {
  return signal?.aborted === true;
}
