import type { Volume } from "@fs/protocol/author";

/** Lets one client of a volume make as many calls as it is given, and waits before the next. */
export class Turns {
  #left = 0;
  readonly #waiting: Array<() => void> = [];
  #stopped: (() => void) | undefined;

  /** The volume, of which every primitive waits for its turn. */
  over(volume: Volume): Volume {
    const turn = async <R>(call: () => Promise<R>): Promise<R> => {
      await this.#next();
      return call();
    };
    return {
      ...(volume.collisions !== undefined && { collisions: volume.collisions }),
      get: (...args) => turn(async () => volume.get(...args)),
      put: (...args) => turn(async () => volume.put(...args)),
      remove: (...args) => turn(async () => volume.remove(...args)),
      list: (...args) => volume.list(...args),
      stat: (...args) => turn(async () => volume.stat?.(...args)),
    };
  }

  /** Gives so many calls more. Resolves once the client waits for another one, or is done. */
  async give(calls: number, done: Promise<unknown>): Promise<void> {
    const stopped = new Promise<void>((resolve) => {
      this.#stopped = resolve;
    });
    this.#left += calls;
    if (this.#waiting.length > 0 && this.#left === 0) return;
    for (const waiting of this.#waiting.splice(0)) waiting();
    await Promise.race([stopped, done]);
  }

  async #next(): Promise<void> {
    while (this.#left === 0) {
      this.#stopped?.();
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
    this.#left--;
  }
}
