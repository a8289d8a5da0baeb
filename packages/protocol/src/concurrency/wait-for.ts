import { OUTCOME_OPEN } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import { onAbort } from "./on-abort.js";

/** How long a caller waits for an answer. */
export interface Wait {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; `Infinity` for no limit. */
  readonly timeoutMs: number;
  /** Milliseconds that the answer is still waited for once the signal has fired, asked for at that moment. Default: 0. */
  readonly graceMs?: number | undefined;
}

/**
 * Milliseconds that a change which has begun is still waited for once its caller gave up: most of them still answer, so that
 * the outcome is known. Within the second that the call itself is given (A8).
 */
export const CHANGE_GRACE_MS = 500;

/** Why a wait ended without an answer. */
export type WaitEnd = "aborted" | "timeout";

/** The longest time that a timer of Node takes; more would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Waits for an answer until its time is over, or the signal has fired and the grace after that is over. The task itself is not
 * stopped: what it still does is for `giveUp` to settle.
 *
 * @param giveUp Called once, when no answer came in time; gives the error to throw.
 */
export function waitFor<T>(
  task: Promise<T>,
  wait: Wait,
  giveUp: (why: WaitEnd) => VolumeError,
): Promise<T> {
  const { signal, timeoutMs } = wait;
  return new Promise((resolve, reject) => {
    let waiting = true;
    let grace: ReturnType<typeof setTimeout> | undefined;
    // Within the grace the caller has given up already, whatever ends it.
    const late = (): void => end(signal?.aborted === true ? "aborted" : "timeout");
    const timer = timeoutMs <= MAX_TIMER_MS ? setTimeout(late, timeoutMs) : undefined;
    let forget: (() => void) | undefined;
    const finish = (): boolean => {
      const first = waiting;
      waiting = false;
      clearTimeout(timer);
      clearTimeout(grace);
      forget?.();
      return first;
    };
    const end = (why: WaitEnd): void => {
      if (finish()) reject(giveUp(why));
    };
    // After the end of the wait the outcome has no reader left: a late rejection must not count as unhandled.
    task.then(
      (value) => finish() && resolve(value),
      (error: unknown) => finish() && reject(error),
    );
    const aborted = (): void => {
      const { graceMs = 0 } = wait;
      if (graceMs > 0) grace = setTimeout(() => end("aborted"), graceMs);
      else end("aborted");
    };
    if (signal === undefined) return;
    if (signal.aborted) aborted();
    else forget = onAbort(signal, aborted);
  });
}

/** The error for a change whose answer was not waited for: it may have happened, and is never undone on a guess. */
export function outcomeUnknown(why: WaitEnd | "lost", cause?: unknown): VolumeError {
  const options = cause === undefined ? {} : { cause };
  if (why === "aborted")
    return new VolumeError(
      "aborted",
      `The call was aborted before its answer came. ${OUTCOME_OPEN}`,
      options,
    );
  const what = why === "timeout" ? "No answer came in time." : "The connection was lost.";
  return new VolumeError("unavailable", `${what} ${OUTCOME_OPEN}`, options);
}
