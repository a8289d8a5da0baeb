import { isSignal, onAbort } from "@fs/protocol/async";
import { VolumeError } from "@fs/protocol/author";
import type { Intent } from "./intents.js";
import { unconfirmed } from "./unconfirmed.js";

/**
 * An intent on its way into a commit, and the promise that its caller waits on. A caller that gives up is answered at once:
 * before a commit with its change was sent, nothing happens; after that, the answer says that the change may be stored.
 */
export class Waiter<T = unknown> {
  readonly intent: Intent<T>;
  /** Settles once the change is stored, or sure not to be, or its caller gave up. */
  readonly settled: Promise<T>;
  #resolve: ((value: T) => void) | undefined;
  #reject: ((reason: unknown) => void) | undefined;
  #wanted = true;
  #sent = false;
  #forget: () => void = () => undefined;

  /** Throws `invalid_argument` for a signal that is none: nothing of it may fail once others share its commit. */
  constructor(intent: Intent<T>, signal: AbortSignal | undefined) {
    if (signal !== undefined && !isSignal(signal))
      throw new VolumeError("invalid_argument", "'signal' must be an AbortSignal.");
    this.intent = intent;
    this.settled = new Promise<T>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    const giveUp = (): void => {
      this.#wanted = false;
      this.reject(this.#sent ? unconfirmed("aborted", undefined) : new VolumeError("aborted"));
    };
    if (signal?.aborted === true) giveUp();
    else if (signal !== undefined) this.#forget = onAbort(signal, giveUp);
  }

  /** False once its caller gave up: its change belongs into no further commit. */
  get wanted(): boolean {
    return this.#wanted;
  }

  /** Notes that a commit with its change is on its way to the Hub. */
  send(): void {
    this.#sent = true;
  }

  resolve(value: T): void {
    this.#forget();
    this.#resolve?.(value);
  }

  reject(reason: unknown): void {
    this.#forget();
    this.#reject?.(reason);
  }
}
