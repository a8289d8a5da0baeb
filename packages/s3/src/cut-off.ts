import { onAbort } from "@fs/protocol/async";

/** Why a request was not waited for any longer. Its connection is closed; the server may have acted all the same. */
export class CutOff extends Error {
  override readonly name = "CutOff";
  readonly reason: "aborted" | "timeout";

  constructor(reason: "aborted" | "timeout") {
    super(reason === "aborted" ? "The caller gave up." : "The time of the request was over.");
    this.reason = reason;
  }
}

/** Node's timers take no more. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface CutOffLimits {
  /** Fires when the caller gave up. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds that a request is still waited for after its caller gave up. */
  readonly graceMs: number;
  /** Milliseconds after which it is given up in any case. */
  readonly timeoutMs: number;
}

/**
 * Runs a task until its caller gives up or its time is over, and then throws {@link CutOff}, whether the task ends by the
 * signal that it is given or not.
 */
export async function untilCutOff<T>(
  { signal, graceMs, timeoutMs }: CutOffLimits,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  let done: (() => void) | undefined;
  const cut = new Promise<never>((_, reject) => {
    const end = (reason: CutOff["reason"]): void => {
      const error = new CutOff(reason);
      reject(error);
      controller.abort(error);
    };
    timers.push(setTimeout(() => end("timeout"), timeoutMs));
    if (signal === undefined) return;
    const giveUp = (): void => void timers.push(setTimeout(() => end("aborted"), graceMs));
    if (signal.aborted) giveUp();
    else done = onAbort(signal, giveUp);
  });
  try {
    return await Promise.race([task(controller.signal), cut]);
  } catch (error) {
    // The SDK says in words of its own that it was stopped.
    if (controller.signal.reason instanceof CutOff) throw controller.signal.reason;
    throw error;
  } finally {
    done?.();
    for (const timer of timers) clearTimeout(timer);
  }
}
