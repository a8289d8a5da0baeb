import type { _Object, ListObjectsV2CommandOutput } from "@aws-sdk/client-s3";
import type { VolumeCall } from "@fs/protocol/author";
import type { Bucket } from "./bucket.js";
import { compareKeys, justBefore } from "./key-order.js";
import { decodedKey } from "./keys.js";
import { PAGES_APART, Stretch } from "./stretch.js";

/** Some of the objects of a listing. */
export type ObjectPage = Pick<ListObjectsV2CommandOutput, "Contents" | "CommonPrefixes">;

/** What to list, and how. */
export interface DeepQuery {
  readonly Prefix: string;
  /** Keys that come after this one only. */
  readonly after?: string | undefined;
  /** Requests under way at once, together with the pages that wait to be read. */
  readonly width: number;
}

/**
 * Every object with a prefix once, in pages that come in any order: what fits into a page by one request, and more by up to
 * `width` chains of requests. Where a listing can be divided is looked up with a delimiter, once for each directory that holds
 * others; whether that pays is judged by the pages that came. No more is asked for than the reader has room for, and a
 * reader that stops ends what is under way.
 */
export async function* pagesBelow(
  bucket: Bucket,
  query: DeepQuery,
  { signal }: VolumeCall,
): AsyncGenerator<ObjectPage> {
  const stop = new AbortController();
  const both = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const listing = new DeepListing(bucket, query, both);
  try {
    for (;;) {
      const page = await listing.next();
      if (page === undefined) return;
      yield page;
    }
  } finally {
    stop.abort();
    await listing.end();
  }
}

class DeepListing {
  readonly #bucket: Bucket;
  readonly #query: DeepQuery;
  readonly #signal: AbortSignal;
  readonly #active = new Map<Stretch, Promise<void>>();
  readonly #pages: ObjectPage[] = [];
  /** Called at the next change: a page came or was taken, a chain ended. */
  #waiting: Array<() => void> = [];
  #ended = false;
  #failure: { readonly error: unknown } | undefined;
  #underWay = 0;
  #requests = 0;
  #divisions = 0;
  /** False for a server that sorts keys by an order of its own, or begins elsewhere than it was asked to. */
  #divisible: boolean;

  constructor(bucket: Bucket, query: DeepQuery, signal: AbortSignal) {
    this.#bucket = bucket;
    this.#query = query;
    this.#signal = signal;
    this.#divisible = query.width > 1 && bucket.listsInOrder;
    const whole = new Stretch(query.Prefix);
    whole.last = query.after;
    this.#start(whole);
  }

  /** The next page that came; `undefined` at the end. */
  async next(): Promise<ObjectPage | undefined> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.error;
      const page = this.#pages.shift();
      if (page !== undefined) {
        this.#changed();
        return page;
      }
      if (this.#active.size === 0) return undefined;
      await this.#change();
    }
  }

  /** Begins nothing more, and waits for what is under way. */
  async end(): Promise<void> {
    this.#ended = true;
    this.#changed();
    await Promise.all(this.#active.values());
  }

  #start(stretch: Stretch): void {
    this.#active.set(stretch, this.#readAll(stretch));
  }

  async #readAll(stretch: Stretch): Promise<void> {
    try {
      for (let more = true; more; this.#divide()) {
        while (!this.#ended && this.#underWay + this.#pages.length >= this.#query.width)
          await this.#change();
        if (this.#ended) return;
        const place = this.#divisible ? stretch.placeToLook : undefined;
        more = await (place === undefined ? this.#read(stretch) : this.#look(stretch, place));
        if (more && this.#divisible) stretch.guess(this.#query.Prefix);
      }
    } catch (error) {
      this.#failure ??= { error };
      this.#ended = true;
    } finally {
      this.#active.delete(stretch);
      this.#changed();
    }
  }

  /** Divides what has most ahead of it, as long as there is room for one more chain and it is likely to pay. */
  #divide(): void {
    while (!this.#ended && this.#divisible && this.#active.size < this.#query.width) {
      const [most] = [...this.#active.keys()].toSorted((a, b) => b.pagesAhead - a.pagesAhead);
      if (most === undefined || most.pagesAhead < 2 * PAGES_APART) return;
      // Judged by few pages at first: each that comes may show that there is less than it seemed.
      const allowed = most.guessed ? this.#requests / PAGES_APART : this.#requests;
      if (this.#divisions + 1 > allowed) return;
      this.#divisions++;
      this.#start(most.divide());
    }
  }

  /** Reads the next page. Returns whether there may be more. */
  async #read(stretch: Stretch): Promise<boolean> {
    const output = await this.#list({ Prefix: this.#query.Prefix, ...startOf(stretch) });
    const keys = keysOf(output);
    this.#check(keys, stretch.token === undefined ? stretch.last : undefined);
    const own = this.#deliver(stretch, keys, output.Contents);
    stretch.read(own, output.NextContinuationToken);
    if (output.IsTruncated !== true || stretch.token === undefined) return false;
    const last = keys.at(-1);
    return last === undefined || stretch.end === undefined || compareKeys(last, stretch.end) < 0;
  }

  /**
   * Looks for directories that come after the last key, at which the rest can be divided. Up to the first of them the answer
   * is a page like any other. Returns whether there may be more.
   */
  async #look(stretch: Stretch, parent: string): Promise<boolean> {
    const { last = "" } = stretch;
    const output = await this.#list({ Prefix: parent, Delimiter: "/", StartAfter: last });
    const keys = keysOf(output);
    const names = (output.CommonPrefixes ?? []).map(({ Prefix = "" }) => decodedKey(Prefix));
    // The directory that the last key is in may come once more.
    const later = names.filter((name) => !last.startsWith(name));
    if (!this.#check(keys, last) || !this.#check(later, last)) return true;
    const ahead = names.filter((name) => compareKeys(name, last) > 0);
    const truncated = output.IsTruncated === true;
    const [first] = ahead;
    stretch.looked(
      parent,
      ahead.filter((name) => stretch.has(name)),
      truncated,
    );
    // The rest of a directory that the last key is in would come before them.
    if (last.slice(parent.length).includes("/")) return true;
    const next = keys.filter((key) => first === undefined || compareKeys(key, first) < 0);
    const own = this.#deliver(stretch, next, output.Contents);
    stretch.read(own, undefined);
    if (own.length < next.length) return false;
    return first !== undefined || truncated || parent !== this.#query.Prefix;
  }

  /** Notes when the keys of a page are not in the order of their bytes, or not behind the one that it should begin after. */
  #check(keys: readonly string[], after: string | undefined): boolean {
    let before = after;
    for (const key of keys) {
      if (before !== undefined && compareKeys(before, key) >= 0) this.#divisible = false;
      before = key;
    }
    return this.#divisible;
  }

  /** Hands over those of the first objects of a page that are the stretch's own. Returns their keys. */
  #deliver(
    stretch: Stretch,
    keys: readonly string[],
    objects: readonly _Object[] = [],
  ): readonly string[] {
    const { after } = this.#query;
    const isOwn = keys.map(
      (key) => stretch.has(key) && (after === undefined || compareKeys(key, after) > 0),
    );
    const Contents = objects.filter((_, index) => isOwn[index] === true);
    if (Contents.length > 0) this.#pages.push({ Contents });
    this.#changed();
    return keys.filter((_, index) => isOwn[index] === true);
  }

  async #list(input: Parameters<Bucket["listObjects"]>[0]): Promise<ListObjectsV2CommandOutput> {
    this.#underWay++;
    this.#requests++;
    try {
      return await this.#bucket.listObjects(input, { signal: this.#signal });
    } finally {
      this.#underWay--;
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #changed(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function startOf({ token, last, from }: Stretch): Record<string, string> {
  if (token !== undefined) return { ContinuationToken: token };
  if (last !== undefined) return { StartAfter: last };
  return from === undefined ? {} : { StartAfter: justBefore(from) };
}

function keysOf({ Contents = [] }: ObjectPage): string[] {
  return Contents.map(({ Key = "" }) => decodedKey(Key));
}
