import { breather } from "../concurrency/breather.js";
import { sortedPaths } from "../paths/sorted-paths.js";
import type { VolumeHit } from "../spi/volume.js";
import type { GrepMatch } from "../types/results.js";

/** Matches that come in no order, kept by file: then only the paths are left to sort, which are far fewer. */
export class HitsByFile {
  readonly #files = new Map<string, GrepMatch[]>();
  readonly #accepts: (path: string) => boolean;
  #path: string | undefined;
  #matches: GrepMatch[] | undefined;

  /** @param accepts Whether a path counts; hits of others are left out. */
  constructor(accepts: (path: string) => boolean) {
    this.#accepts = accepts;
  }

  add(hits: readonly VolumeHit[]): void {
    for (const { path, line, text } of hits) {
      if (path !== this.#path) {
        this.#path = path;
        this.#matches = this.#matchesOf(path);
      }
      this.#matches?.push({ path, line, text });
    }
  }

  /** All of them by path and line, at most `limit`. Pauses now and then. */
  async inOrder(limit: number): Promise<GrepMatch[]> {
    const breathe = breather();
    const sorted: GrepMatch[] = [];
    for (const path of await sortedPaths([...this.#files.keys()])) {
      const matches = this.#files.get(path) ?? [];
      for (const match of inLineOrder(matches)) {
        if (sorted.length === limit) return sorted;
        sorted.push(match);
      }
      const pause = breathe();
      if (pause !== undefined) await pause;
    }
    return sorted;
  }

  #matchesOf(path: string): GrepMatch[] | undefined {
    const known = this.#files.get(path);
    if (known !== undefined || !this.#accepts(path)) return known;
    const matches: GrepMatch[] = [];
    this.#files.set(path, matches);
    return matches;
  }
}

/** Nearly every volume finds the lines of one file in their order. */
function inLineOrder(matches: readonly GrepMatch[]): readonly GrepMatch[] {
  const ordered = matches.every(
    (match, at) => at === 0 || (matches[at - 1]?.line ?? 0) <= match.line,
  );
  return ordered ? matches : matches.toSorted((a, b) => a.line - b.line);
}
