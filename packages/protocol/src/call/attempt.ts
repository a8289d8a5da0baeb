import { onAbort } from "../concurrency/on-abort.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import { failure } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import type { CallOptions } from "../types/options.js";
import type { Failure } from "../types/outcome.js";
import { guardListener } from "./guard-listener.js";
import type { Method } from "./methods.js";
import { checkedOptions } from "./options.js";

/** Called with every unexpected error behind a failed result, for the operator's log; agents only see the result. */
export type ErrorListener = (error: unknown, call: { operation: string; path: unknown }) => void;

export interface Attempt {
  readonly operation: string;
  /** As the caller wrote it. */
  readonly path: unknown;
  /** Its row of the table of methods, or what an operation besides the protocol says of itself. */
  readonly method: Pick<Method, "mutates" | "options">;
  readonly onError?: ErrorListener | undefined;
}

/** How long a change whose signal has fired may still answer for itself, in milliseconds. */
const GRACE_MS = 1000;

/**
 * Runs a call of a method and turns whatever it throws into a failed result.
 *
 * A call that only reads answers `aborted` as soon as its signal fires. One that changes something is given a moment to
 * answer for itself; after that it is answered with `aborted` and the sentence that it may still take effect.
 *
 * @param task Is called with the checked options. May throw at once.
 */
export async function attempt<T, O extends CallOptions>(
  call: Attempt,
  options: O | null | undefined,
  task: (options: O) => Promise<T>,
): Promise<T | Failure> {
  const { operation, path, method } = call;
  let signal: AbortSignal | undefined;
  try {
    const checked = checkedOptions(operation, method.options, options);
    signal = checked.signal;
    if (hasFired(signal)) return failure("aborted", path);
    const running = task(checked);
    if (signal === undefined) return await running;
    return await untilAborted(method, running, signal);
  } catch (error) {
    if (hasFired(signal) && !VolumeError.isInstance(error)) return failure("aborted", path);
    const failed = failureFromThrown(error, path, { mayHaveChanged: method.mutates });
    report({ operation, path, onError: call.onError }, error);
    return failed;
  }
}

// A function, because the compiler takes the first look at `aborted` for the last.
function hasFired(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

interface Incident {
  readonly operation: string;
  readonly path: unknown;
  readonly onError: ErrorListener | undefined;
}

function report(incident: Incident, error: unknown): void {
  // A VolumeError without a cause is an answer, not an incident.
  if (VolumeError.isInstance(error) && error.cause === undefined) return;
  notifyOperator(incident.onError, error, incident);
}

/** Calls the operator's listener with an error and the call behind which it happened. */
export function notifyOperator(
  listener: ErrorListener | undefined,
  error: unknown,
  { operation, path }: { operation: string; path: unknown },
): void {
  guardListener(() => listener?.(error, { operation, path }));
}

/**
 * The outcome of a call that is under way. Rejects with `aborted` once its signal fires: at once where the call only reads, else
 * after the moment in which it may still answer for itself.
 */
export function untilAborted<T>(
  { mutates }: Pick<Method, "mutates">,
  running: Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  return mutates ? outliveAbort(running, signal) : raceAbort(running, signal);
}

function raceAbort<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const done = onAbort(signal, () => reject(new VolumeError("aborted")));
    task.then(resolve, reject).finally(done);
  });
}

function outliveAbort<T>(task: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const done = onAbort(signal, () => {
      timer = setTimeout(() => reject(new VolumeError("aborted", MAY_HAPPEN)), GRACE_MS);
    });
    task.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      done();
    });
  });
}

const MAY_HAPPEN =
  "The call was aborted while the storage was at work: the change may have taken effect, or may still do so.";
