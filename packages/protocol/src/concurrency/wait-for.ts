import { VolumeError } from "../errors/volume-error.js";
import { onAbort } from "./on-abort.js";

/** How long a caller waits for an answer. */
export interface Wait {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; `Infinity` for no limit. */
  readonly timeoutMs: number;
}

/** Why a wait ended without an answer. */
export type WaitEnd = "aborted" | "timeout";

/** The longest time that a timer of Node takes; more would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Waits for an answer until the signal fires or the time is over. The task itself is not stopped: what it still does is
 * for `giveUp` to settle.
 *
 * @param giveUp Called once, when no answer came in time; gives the error to throw.
 */
export function waitFor<T>(
  task: Promise<T>,
  { signal, timeoutMs }: Wait,
  giveUp: (why: WaitEnd) => VolumeError,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let waiting = true;
    const timer =
      timeoutMs <= MAX_TIMER_MS ? setTimeout(() => end("timeout"), timeoutMs) : undefined;
    let forget: (() => void) | undefined;
    const finish = (): boolean => {
      const first = waiting;
      waiting = false;
      clearTimeout(timer);
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
    if (signal === undefined) return;
    if (signal.aborted) end("aborted");
    else forget = onAbort(signal, () => end("aborted"));
  });
}

/** The error for a change whose answer was not waited for: it may have happened, and is never undone on a guess. */
export function outcomeUnknown(why: WaitEnd | "lost", cause?: unknown): VolumeError {
  const options = cause === undefined ? {} : { cause };
  if (why === "aborted")
    return new VolumeError(
      "aborted",
      "The call was aborted before its answer came. The change may or may not have been stored: look before you repeat it.",
      options,
    );
  const what = why === "timeout" ? "No answer came in time." : "The connection was lost.";
  return new VolumeError(
    "unavailable",
    `${what} The change may or may not have been stored: look before you repeat it.`,
    options,
  );
}
