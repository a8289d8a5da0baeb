import type { WaitEnd } from "@fs/protocol/async";
import { VolumeError } from "@fs/protocol/author";
import type { Intent } from "./intents.js";
import { tooSlow } from "./too-slow.js";
import { unconfirmed } from "./unconfirmed.js";

/**
 * An intent on its way into a commit, and the promise that its caller waits on. What a caller that gives up is answered
 * depends on whether a commit with its change was sent: before that, nothing happens.
 */
export class Waiter<T = unknown> {
  readonly intent: Intent<T>;
  /** Settles once the change is stored, or sure not to be. */
  readonly settled: Promise<T>;
  #resolve: ((value: T) => void) | undefined;
  #reject: ((reason: unknown) => void) | undefined;
  #wanted = true;
  #sent = false;

  constructor(intent: Intent<T>) {
    this.intent = intent;
    this.settled = new Promise<T>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** False once its caller gave up: its change belongs into no further commit. */
  get wanted(): boolean {
    return this.#wanted;
  }

  /** True once a commit with its change is on its way to the Hub. */
  get sent(): boolean {
    return this.#sent;
  }

  /** Notes that a commit with its change is on its way to the Hub. */
  send(): void {
    this.#sent = true;
  }

  /** Notes that its caller waits no longer, and gives the error for it. */
  giveUp(why: WaitEnd): VolumeError {
    this.#wanted = false;
    if (this.#sent) return unconfirmed(why === "aborted" ? "aborted" : "unavailable", undefined);
    return why === "aborted" ? new VolumeError("aborted") : tooSlow("Nothing was changed.");
  }

  resolve(value: T): void {
    this.#resolve?.(value);
  }

  reject(reason: unknown): void {
    this.#reject?.(reason);
  }
}
