import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";
import { decodeText, type GrepQuery, type GrepStream, type VolumeHit } from "@fs/protocol/author";
import { isTextBytes, searchLines, type LineHit } from "@fs/protocol/hooks";
import type { Bucket } from "./bucket.js";
import { Candidates, type Candidate } from "./candidates.js";
import { bareEtag } from "./etag.js";
import { isMissingKey, translated } from "./failures.js";
import { mapInOrder } from "./in-order.js";
import type { KeySpace } from "./keys.js";
import { fetchObject, withBody } from "./object-reader.js";
import { MIB, type S3VolumeSettings } from "./options.js";
import { ScanCache } from "./scan-cache.js";
import { searchStream } from "./search-stream.js";
import { isTombstone } from "./tombstone.js";

/** Bytes from which an object is searched while it streams rather than held as a whole. */
const STREAMED = 8 * MIB;
/** Files that a search with a cap begins with at once. */
const FIRST_FILES = 4;
/** What an entry of the cache weighs beside its text. */
const ENTRY_BYTES = 256;

/**
 * Searches the objects below a directory: their listing, and one GET for each text that is not held in its present version
 * from an earlier search. The listing tells versions, so that nothing held is ever stale.
 */
export class ContentSearch {
  readonly #bucket: Bucket;
  readonly #keys: KeySpace;
  readonly #settings: S3VolumeSettings;
  /** Text by key and version; `undefined` for what is not text. */
  readonly #texts: ScanCache<{ readonly text: string | undefined }>;

  constructor(bucket: Bucket, keys: KeySpace, settings: S3VolumeSettings) {
    this.#bucket = bucket;
    this.#keys = keys;
    this.#settings = settings;
    this.#texts = new ScanCache(settings.cacheBytes);
  }

  async search(query: GrepQuery): Promise<GrepStream> {
    this.#texts.beginScan();
    // Without a cap every file counts, so that it is searched when it is listed.
    return { batches: this.#hits(query), sorted: query.limit !== Infinity };
  }

  async *#hits(query: GrepQuery): AsyncGenerator<readonly VolumeHit[]> {
    const { concurrency } = this.#settings;
    const isCapped = query.limit !== Infinity;
    // With a cap, the first few files may be enough: begin with few, and widen quickly while they are not.
    const width = (done: number): number =>
      isCapped ? Math.min(concurrency, FIRST_FILES + 2 * done) : concurrency;
    const signalOf = (stop: AbortSignal): AbortSignal =>
      query.signal === undefined ? stop : AbortSignal.any([stop, query.signal]);
    const candidates = (stop: AbortSignal): AsyncIterable<readonly Candidate[]> => {
      const all = new Candidates(this.#bucket, this.#keys, concurrency, query, signalOf(stop));
      return isCapped ? all.sorted() : all.unsorted();
    };
    const perFile = mapInOrder(candidates, width, async (file, stop) => {
      const { path } = file;
      const hits = await translated(path, () => this.#searchFile(file, query, signalOf(stop)));
      return hits.map((hit): VolumeHit => ({ path, ...hit }));
    });
    for await (const hits of perFile) if (hits.length > 0) yield hits;
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
