import { isWithin } from "@fs/protocol/author";

/** How an empty write is held back: as one that empties a file, or one that only makes it exist. */
export type Held = "truncate" | "create";

/**
 * A redirect opens its file with an empty write and then writes the output: held back, the first costs nothing where the
 * second replaces it. Anybody who could see the difference has it stored first.
 */
export class HeldRedirects {
  readonly #held = new Map<string, Held>();

  get paths(): string[] {
    return [...this.#held.keys()];
  }

  hold(path: string, held: Held): void {
    if (this.#held.get(path) !== "truncate") this.#held.set(path, held);
  }

  /** Takes what is held for a path, if anything. */
  take(path: string): Held | undefined {
    const held = this.#held.get(path);
    this.#held.delete(path);
    return held;
  }

  /** The held paths that a call on `path` could see: it, those below it and those above. */
  touching(path: string): string[] {
    return this.paths.filter((held) => isWithin(held, path) || isWithin(path, held));
  }
}
