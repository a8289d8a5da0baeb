import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";
import {
  comparePaths,
  decodeText,
  type GrepQuery,
  type GrepStream,
  type VolumeHit,
} from "@fs/protocol/author";
import { isTextBytes, searchLines, type LineHit } from "@fs/protocol/hooks";
import { BoundedCache } from "./bounded-cache.js";
import type { Bucket } from "./bucket.js";
import { bareEtag } from "./etag.js";
import { isMissingKey, translated } from "./failures.js";
import { mapInOrder } from "./in-order.js";
import type { KeySpace } from "./keys.js";
import { filesOf, pagesOf, prefixOfQuery, type ListedFile } from "./listing.js";
import { fetchObject, withBody } from "./object-reader.js";
import { MIB, type S3VolumeSettings } from "./options.js";
import { searchStream } from "./search-stream.js";
import { isTombstone } from "./tombstone.js";

/** Bytes from which an object is searched while it streams rather than held as a whole. */
const STREAMED = 8 * MIB;
/** Files that a search with a cap begins with at once. */
const FIRST_FILES = 4;
/** What an entry of the cache weighs beside its text. */
const ENTRY_BYTES = 256;

type Candidate = Pick<ListedFile, "path"> & Partial<Pick<ListedFile, "size" | "version">>;

/**
 * Searches the objects below a directory: their listing, and one GET for each text that is not held in its present version
 * from an earlier search. The listing tells versions, so that nothing held is ever stale.
 */
export class ContentSearch {
  readonly #bucket: Bucket;
  readonly #keys: KeySpace;
  readonly #settings: S3VolumeSettings;
  /** Text by key and version; `undefined` for what is not text. */
  readonly #texts: BoundedCache<{ readonly text: string | undefined }>;

  constructor(bucket: Bucket, keys: KeySpace, settings: S3VolumeSettings) {
    this.#bucket = bucket;
    this.#keys = keys;
    this.#settings = settings;
    this.#texts = new BoundedCache(settings.cacheBytes);
  }

  async search(query: GrepQuery): Promise<GrepStream> {
    const candidates = await this.#candidates(query);
    return { batches: this.#hits(candidates, query), sorted: true };
  }

  async *#hits(
    candidates: readonly Candidate[],
    query: GrepQuery,
  ): AsyncGenerator<readonly VolumeHit[]> {
    const { concurrency } = this.#settings;
    // With a cap, the first few files may be enough: begin with few, and widen quickly while they are not.
    const width = (done: number): number =>
      query.limit === Infinity ? concurrency : Math.min(concurrency, FIRST_FILES + 2 * done);
    const perFile = mapInOrder(candidates, width, async (file, stop) => {
      const signal = query.signal === undefined ? stop : AbortSignal.any([stop, query.signal]);
      const { path } = file;
      const hits = await translated(path, () => this.#searchFile(file, query, signal));
      return hits.map((hit): VolumeHit => ({ path, ...hit }));
    });
    for await (const hits of perFile) if (hits.length > 0) yield hits;
  }

  async #candidates(query: GrepQuery): Promise<Candidate[]> {
    const { root, glob, signal } = query;
    const shortest = shortestFile(query);
    const found: Candidate[] = [];
    let listed = 0;
    await translated(root, async () => {
      const Prefix = prefixOfQuery(this.#keys, root, glob?.prefix);
      for await (const page of pagesOf(this.#bucket, { Prefix }, { signal })) {
        for (const file of await filesOf(page, this.#keys, isRemoved)) {
          if (!query.accepts(file.path)) continue;
          listed++;
          if (file.size >= shortest) found.push(file);
        }
      }
    });
    // Nothing below it: the root may be a file itself.
    if (listed === 0 && root !== "/" && query.accepts(root)) return [{ path: root }];
    return found.toSorted((a, b) => comparePaths(a.path, b.path));
  }

  async #searchFile(file: Candidate, query: GrepQuery, signal: AbortSignal): Promise<LineHit[]> {
    const key = this.#keys.keyOf(file.path);
    const held = file.version === undefined ? undefined : this.#texts.get(key, file.version);
    const { text } = held ?? {};
    if (held !== undefined)
      return text === undefined ? [] : searchLines(text, query.pattern, query.limit);
    try {
      return (file.size ?? 0) >= STREAMED
        ? await this.#searchStreaming(key, query, signal)
        : await this.#searchWhole(key, query, signal);
    } catch (error) {
      // Removed since it was listed.
      if (isMissingKey(error)) return [];
      throw error;
    }
  }

  async #searchWhole(Key: string, query: GrepQuery, signal: AbortSignal): Promise<LineHit[]> {
    const { maxReadBytes } = this.#settings;
    const { bytes, output } = await fetchObject(this.#bucket, { Key }, maxReadBytes, { signal });
    if (isTombstone(output)) return [];
    const text = isTextBytes(bytes) ? decodeText(bytes) : undefined;
    this.#hold(Key, output, text, bytes.length);
    return text === undefined ? [] : searchLines(text, query.pattern, query.limit);
  }

  #searchStreaming(Key: string, query: GrepQuery, signal: AbortSignal): Promise<LineHit[]> {
    const { maxReadBytes } = this.#settings;
    return withBody(this.#bucket, { Key }, { signal }, (pieces) =>
      searchStream(pieces, query.pattern, query.limit, maxReadBytes),
    );
  }

  #hold(
    key: string,
    { ETag }: GetObjectCommandOutput,
    text: string | undefined,
    bytes: number,
  ): void {
    const version = bareEtag(ETag);
    if (version === undefined) return;
    // A string takes a byte a character while all of them are Latin; what takes more bytes as UTF-8 may take two.
    const weight = text === undefined ? 0 : text.length === bytes ? bytes : text.length * 2;
    this.#texts.set(key, version, { text }, ENTRY_BYTES + key.length * 2 + weight);
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
