import type { Intent } from "./intents.js";

/** An intent on its way into a commit, and the promise that its caller waits on. */
export class Waiter<T = unknown> {
  readonly intent: Intent<T>;
  readonly signal: AbortSignal | undefined;
  /** Settles once the change is stored, or sure not to be. */
  readonly settled: Promise<T>;
  #resolve: ((value: T) => void) | undefined;
  #reject: ((reason: unknown) => void) | undefined;

  constructor(intent: Intent<T>, signal: AbortSignal | undefined) {
    this.intent = intent;
    this.signal = signal;
    this.settled = new Promise<T>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  resolve(value: T): void {
    this.#resolve?.(value);
  }

  reject(reason: unknown): void {
    this.#reject?.(reason);
  }
}
