import { comparePaths } from "../paths/segments.js";
import type { GrepQuery } from "../spi/volume.js";
import { classifyFile } from "../text/classify.js";
import { searchLines } from "../text/line-pattern.js";
import type { GrepMatch } from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { getFile } from "./find.js";
import { visitDirectory } from "./visit-entries.js";

/**
 * The search of a volume that has none of its own: every candidate is fetched, a few at a time and in path order, until the limit is
 * reached. A volume that lists in order is listed no further than that; of any other one all paths are sorted first.
 */
export async function scanFiles(context: VolumeContext, query: GrepQuery): Promise<GrepMatch[]> {
  const { volume, concurrency } = context;
  const { root, glob, signal, onUnreadable } = query;
  const scan = new Scan(context, query);
  const inOrder = volume.listsInOrder === true;
  let waiting: string[] = [];
  const listing = { deep: true, glob, signal, onUnreadable };
  await visitDirectory(volume, root, listing, ({ kind, path }) => {
    if (kind !== "file" || !query.accepts(path)) return;
    if (waiting.push(path) < concurrency || !inOrder) return;
    const window = waiting;
    waiting = [];
    return scan.search(window);
  });
  const nothing = waiting.length === 0 && !scan.begun;
  if (nothing && root !== "/" && query.accepts(root)) waiting.push(root);
  if (!inOrder) waiting.sort(comparePaths);
  for (let from = 0; from < waiting.length; from += concurrency)
    if (!(await scan.search(waiting.slice(from, from + concurrency)))) break;
  return scan.hits;
}

class Scan {
  readonly hits: GrepMatch[] = [];
  begun = false;
  readonly #context: VolumeContext;
  readonly #query: GrepQuery;

  constructor(context: VolumeContext, query: GrepQuery) {
    this.#context = context;
    this.#query = query;
  }

  /** Searches the next files at once. Returns whether hits are missing still. */
  async search(paths: readonly string[]): Promise<boolean> {
    this.begun = true;
    if (this.hits.length < this.#query.limit)
      for (const found of await Promise.all(paths.map((path) => this.#searchFile(path))))
        for (const hit of found) this.hits.push(hit);
    return this.hits.length < this.#query.limit;
  }

  async #searchFile(path: string): Promise<GrepMatch[]> {
    const { pattern, limit } = this.#query;
    const file = await getFile(this.#context.volume, path, this.#query);
    if (file === undefined) return [];
    const content = classifyFile(path, file);
    if (content.kind === "binary") return [];
    return searchLines(content.text, pattern, limit).map((hit) => ({ path, ...hit }));
  }
}
