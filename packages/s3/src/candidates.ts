import { comparePaths, type GrepQuery } from "@fs/protocol/author";
import type { Bucket } from "./bucket.js";
import { pagesBelow, type ObjectPage } from "./deep-listing.js";
import { translated } from "./failures.js";
import { compareKeys, sortsOtherwise } from "./key-order.js";
import { decodedKey, type KeySpace } from "./keys.js";
import { filesOf, pagesOf, prefixOfQuery, type ListedFile } from "./listing.js";

/** A file that a search looks into; without its size and version where it was not listed. */
export type Candidate = Pick<ListedFile, "path"> & Partial<Pick<ListedFile, "size" | "version">>;

/** Pages that are listed one by one, as they are needed, before the rest is listed at once. */
const PAGES_ONE_BY_ONE = 4;

/** The files that a search has to look into, in batches. */
export class Candidates {
  readonly #bucket: Bucket;
  readonly #keys: KeySpace;
  readonly #width: number;
  readonly #query: GrepQuery;
  readonly #signal: AbortSignal;
  readonly #shortest: number;
  /** Files that the query accepts, be they long enough or not. */
  #listed = 0;

  /** @param width Listings under way at once. */
  constructor(
    bucket: Bucket,
    keys: KeySpace,
    width: number,
    query: GrepQuery,
    signal: AbortSignal,
  ) {
    this.#bucket = bucket;
    this.#keys = keys;
    this.#width = width;
    this.#query = query;
    this.#signal = signal;
    this.#shortest = shortestFile(query);
  }

  /** In any order, as they are listed. */
  async *unsorted(): AsyncGenerator<readonly Candidate[]> {
    yield* this.#rest(undefined);
    yield* this.#itself();
  }

  /**
   * In path order: page by page while pages hold many of them, because the first few may be all that a search needs, and what
   * is left together once they are found to be rare. So also from where the order of keys is another one than that of paths.
   */
  async *sorted(): AsyncGenerator<readonly Candidate[]> {
    const left: Candidate[] = [];
    let last: string | undefined;
    let found = 0;
    let pages = 0;
    let order: "of paths" | "of keys" | "none" = this.#bucket.listsInOrder ? "of paths" : "none";
    const { root, glob } = this.#query;
    const Prefix = prefixOfQuery(this.#keys, root, glob?.prefix);
    const listing = pagesOf(this.#bucket, { Prefix }, { signal: this.#signal });
    for (;;) {
      const step = await translated(root, () => listing.next());
      if (step.done === true) break;
      const { Contents = [], IsTruncated } = step.value;
      const keys = Contents.map(({ Key = "" }) => decodedKey(Key));
      const candidates = await this.#acceptedOf(step.value);
      if (!isSorted(keys, last)) order = "none";
      else if (order === "of paths" && keys.some(sortsOtherwise)) order = "of keys";
      last = keys.at(-1) ?? last;
      found += candidates.length;
      pages++;
      if (order === "of paths") yield candidates;
      else for (const candidate of candidates) left.push(candidate);
      const isRare = pages >= PAGES_ONE_BY_ONE && found < pages * this.#width;
      if (IsTruncated !== true || order === "none" || (order === "of paths" && !isRare)) continue;
      for await (const more of this.#rest(last)) for (const candidate of more) left.push(candidate);
      break;
    }
    yield left.toSorted((a, b) => comparePaths(a.path, b.path));
    yield* this.#itself();
  }

  async *#rest(after: string | undefined): AsyncGenerator<readonly Candidate[]> {
    const { root, glob } = this.#query;
    const Prefix = prefixOfQuery(this.#keys, root, glob?.prefix);
    const query = { Prefix, after, width: this.#width };
    const listing = pagesBelow(this.#bucket, query, { signal: this.#signal });
    try {
      for (;;) {
        const step = await translated(root, () => listing.next());
        if (step.done === true) return;
        yield await this.#acceptedOf(step.value);
      }
    } finally {
      await listing.return(undefined);
    }
  }

  async #acceptedOf(page: ObjectPage): Promise<Candidate[]> {
    const accepted = (await filesOf(page, this.#keys, isRemoved)).filter(({ path }) =>
      this.#query.accepts(path),
    );
    this.#listed += accepted.length;
    return accepted.filter(({ size }) => size >= this.#shortest);
  }

  /** Nothing below it: the root may be a file itself. */
  async *#itself(): AsyncGenerator<readonly Candidate[]> {
    const { root } = this.#query;
    if (this.#listed === 0 && root !== "/" && this.#query.accepts(root)) yield [{ path: root }];
  }
}

/** Whether a file is being removed does not matter here: its content is fetched in any case, and shows it. */
async function isRemoved(): Promise<boolean> {
  return false;
}

/** Bytes a file needs at least to hold a match. */
function shortestFile({ pattern }: GrepQuery): number {
  return pattern.regex || pattern.ignoreCase ? 1 : Buffer.byteLength(pattern.source);
}

function isSorted(keys: readonly string[], after: string | undefined): boolean {
  let before = after;
  return keys.every((key) => {
    const follows = before === undefined || compareKeys(before, key) < 0;
    before = key;
    return follows;
  });
}
