import type { FsStat } from "just-bash";

/** Milliseconds that a command may go by what was seen: shells ask twice or more in a row about one path. */
const LIFETIME = 25;

/** What was just seen at paths; `undefined` where nothing was. */
export class StatCache {
  readonly #seen = new Map<string, { readonly stat: FsStat | undefined; readonly at: number }>();
  /** The path that was looked at last: a look that comes right after goes by it, however long that takes. */
  #last: string | undefined;

  add(path: string, stat: FsStat | undefined): void {
    this.#seen.set(path, { stat, at: performance.now() });
    this.#last = path;
  }

  get(path: string): { readonly stat: FsStat | undefined } | undefined {
    const seen = this.#seen.get(path);
    const isNext = this.#last === path;
    this.#last = undefined;
    if (seen === undefined) return undefined;
    return isNext || performance.now() - seen.at < LIFETIME ? seen : undefined;
  }

  /** To be called before anything but a look: the next look is a new one. */
  clear(): void {
    this.#seen.clear();
    this.#last = undefined;
  }
}
