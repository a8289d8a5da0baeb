import type { FsStat } from "just-bash";

/** Milliseconds that a command may go by what was seen: shells ask twice or more in a row about one path. */
const LIFETIME = 25;

/** What was just seen at paths; `undefined` where nothing was. */
export class StatCache {
  readonly #seen = new Map<string, { readonly stat: FsStat | undefined; readonly at: number }>();

  add(path: string, stat: FsStat | undefined): void {
    this.#seen.set(path, { stat, at: performance.now() });
  }

  get(path: string): { readonly stat: FsStat | undefined } | undefined {
    const seen = this.#seen.get(path);
    return seen !== undefined && performance.now() - seen.at < LIFETIME ? seen : undefined;
  }

  /** To be called before anything but a look: the next look is a new one. */
  clear(): void {
    this.#seen.clear();
  }
}
