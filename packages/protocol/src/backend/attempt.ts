import { getMaxListeners, setMaxListeners } from "node:events";
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
    const onAbort = (): void => reject(new VolumeError("aborted"));
    allowListeners(signal, 1);
    signal.addEventListener("abort", onAbort, { once: true });
    const done = (): void => {
      signal.removeEventListener("abort", onAbort);
      allowListeners(signal, -1);
    };
    task.then(resolve, reject).finally(done);
  });
}

// Many calls of one run share its signal. Each listener of ours ends with its call, so Node's warning of a leak would be wrong.
function allowListeners(signal: AbortSignal, more: 1 | -1): void {
  const limit = getMaxListeners(signal);
  if (limit > 0) setMaxListeners(Math.max(1, limit + more), signal);
}
