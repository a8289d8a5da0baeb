import { onAbort } from "../concurrency/on-abort.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import { failure, type Failure } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";

/** Tells the operator of an error behind a failed result; agents only ever see the result. */
export type ErrorListener = (error: unknown, call: { operation: string; path: unknown }) => void;

export interface Attempt {
  readonly operation: string;
  /** As the caller wrote it. */
  readonly path: unknown;
  readonly signal?: AbortSignal | undefined;
  /** True when giving up early cannot leave anything half done. */
  readonly readOnly: boolean;
  readonly onError?: ErrorListener | undefined;
}

/**
 * Runs an operation and turns whatever it throws into a failed result. A read-only one answers `aborted` as soon as its
 * signal fires; a mutation answers when the storage has, so that a refused call never takes effect afterwards.
 */
export async function attempt<T>(call: Attempt, task: () => Promise<T>): Promise<T | Failure> {
  const { signal, path } = call;
  if (hasFired(signal)) return failure("aborted", path);
  try {
    return signal !== undefined && call.readOnly ? await raceAbort(task(), signal) : await task();
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
  call.onError?.(error, { operation: call.operation, path: call.path });
}

function raceAbort<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const done = onAbort(signal, () => reject(new VolumeError("aborted")));
    task.then(resolve, reject).finally(done);
  });
}
