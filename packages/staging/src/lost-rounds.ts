import { optionsOf } from "@fs/protocol/async";
import { setTimeout as delay } from "node:timers/promises";
import { isCode, VolumeError } from "@fs/protocol/author";

/** Lost rounds after which a change gives up. Enough for scores of processes on one entry. */
const MAX_ROUNDS = 100;
/** The longest pause between two rounds, in milliseconds. */
const MAX_PAUSE = 40;

/** Whether an entry was not as it was read, so that it has to be read again. */
export function isLost(error: unknown): error is VolumeError {
  return isCode(error, "conflict", "already_exists");
}

/**
 * Runs a round again while another process changes the same entry in between. A round reads everything it depends on, and
 * throws its own verdict as {@link Verdict}.
 */
export async function untilStored<T>(
  signal: AbortSignal | undefined,
  round: () => Promise<T>,
): Promise<T> {
  for (let lost = 0; ; lost++) {
    try {
      return await round();
    } catch (error) {
      if (error instanceof Verdict) throw error.error;
      if (!isLost(error)) throw error;
      if (lost === MAX_ROUNDS) throw new VolumeError("conflict");
    }
    const longest = Math.min(MAX_PAUSE, 2 ** Math.min(lost, 10));
    await delay(Math.random() * longest, undefined, optionsOf(signal));
  }
}

/** An error that is the answer of the call, not a lost round. */
export class Verdict extends Error {
  readonly error: VolumeError;

  constructor(code: "already_exists" | "conflict") {
    super(code);
    this.error = new VolumeError(code);
  }
}
