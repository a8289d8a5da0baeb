import { onAbort } from "../concurrency/on-abort.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import { failure, type Failure } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import type { CallOptions } from "../types/options.js";

/** Tells the operator of an error behind a failed result; agents only ever see the result. */
export type ErrorListener = (error: unknown, call: { operation: string; path: unknown }) => void;

export interface Attempt {
  readonly operation: string;
  /** As the caller wrote it. */
  readonly path: unknown;
  /** True when giving up early cannot leave anything half done. */
  readonly readOnly: boolean;
  readonly onError?: ErrorListener | undefined;
}

/**
 * Runs an operation and turns whatever it throws into a failed result. A read-only one answers `aborted` as soon as its
 * signal fires; a mutation answers when the storage has, so that a refused call never takes effect afterwards.
 */
export async function attempt<T, O extends CallOptions>(
  call: Attempt,
  options: O | null | undefined,
  task: (options: O | CallOptions) => Promise<T>,
): Promise<T | Failure> {
  // Callers without types pass null as well.
  const given: O | CallOptions = options ?? {};
  const { path } = call;
  const { signal } = given;
  if (hasFired(signal)) return failure("aborted", path);
  try {
    return signal !== undefined && call.readOnly
      ? await raceAbort(task(given), signal)
      : await task(given);
  } catch (error) {
    if (hasFired(signal) && !VolumeError.isInstance(error)) return failure("aborted", path);
    const failed = failureFromThrown(error, path);
    report(call, error);
    return failed;
  }
}

// A function, because the compiler takes the first look at `aborted` for the last.
function hasFired(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function report(call: Attempt, error: unknown): void {
  // A VolumeError without a cause is an answer, not an incident.
  if (VolumeError.isInstance(error) && error.cause === undefined) return;
  tellOperator(call.onError, error, call);
}

/** Calls the operator's listener. One that throws is a warning of the process: it must not turn an answer into an exception. */
export function tellOperator(
  listener: ErrorListener | undefined,
  error: unknown,
  { operation, path }: { operation: string; path: unknown },
): void {
  try {
    listener?.(error, { operation, path });
  } catch (thrown) {
    process.emitWarning(thrown instanceof Error ? thrown : String(thrown));
  }
}

function raceAbort<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const done = onAbort(signal, () => reject(new VolumeError("aborted")));
    task.then(resolve, reject).finally(done);
  });
}
