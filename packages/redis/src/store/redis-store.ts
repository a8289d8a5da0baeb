import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from "@langchain/langgraph-checkpoint";
import { checkedConfiguration } from "@fs/protocol/author";
import type { CommandArgument, RedisClient } from "../client.js";
import { Connection } from "../connection.js";
import { hashTag } from "../keyspace.js";
import { buffersOf, unexpected } from "../replies.js";
import { compileFilter, necessaryTexts } from "./filter.js";
import { labelsOf, memberOf, rangeBelow, refuseReserved } from "./item-keys.js";
import { matchesConditions } from "./namespace-match.js";
import { GET_ITEMS, LIST_NAMESPACES, PUT_ITEMS, SEARCH_ITEMS, SWEEP } from "./scripts.js";
import { searchPageOf } from "./search-page.js";
import { itemOf } from "./stored-item.js";
import { putSlices } from "./put-slices.js";

/** Names and bytes that one search script looks at, and namespaces it lists: a few milliseconds of the server's time. */
const SEARCH_NAMES = 512;
const SEARCH_BYTES = 1024 * 1024;
const LIST_SLICE = 500;
const SWEEP_SLICE = 500;

const OPTIONS = {
  client: "object",
  url: "text",
  keyPrefix: "any",
  name: "any",
  ttl: "object",
  eviction: ["refuse", "allow"],
  connectTimeoutMs: "milliseconds",
  callTimeoutMs: "milliseconds",
} as const;

export interface RedisStoreOptions {
  /** An ioredis `Redis` or `Cluster` of yours. It stays open when the store stops. */
  client?: RedisClient;
  /** `redis://` or `rediss://`, instead of a client. Opened at the first call, closed by `stop`. */
  url?: string;
  /** What every key starts with. Default `"fs-store:"`. */
  keyPrefix?: string;
  /** Which store of several on one server. All of it lies in one slot of a cluster. Default `"default"`. */
  name?: string | readonly string[];
  ttl?: {
    /** Minutes after which an item expires unless its `put` says otherwise. Default: never. */
    defaultTtl?: number;
    /** Whether `get` and `search` give an item its whole lifetime again. Default `false`. */
    refreshOnRead?: boolean;
  };
  /** As of {@link RedisBackend}. */
  connectTimeoutMs?: number;
  /** As of {@link RedisBackend}. */
  callTimeoutMs?: number;
  /** As of {@link RedisBackend}: `"refuse"` (default) fails writes where the server may evict keys. */
  eviction?: "refuse" | "allow";
}

/** What `put` takes beyond the arguments of `BaseStore`. */
export interface PutOptions {
  /** Minutes after which the item expires; 0 for never. Default: {@link RedisStoreOptions.ttl}. */
  ttl?: number;
}

/**
 * A LangGraph store on plain Redis or Valkey: core commands and Lua, no modules. Searches by namespace and filter run where
 * the data is. There is no semantic search: a `query` is passed over, as by `InMemoryStore` without an index.
 *
 * Items come in the order of their namespace and key, by bytes, so that pages never overlap. Throws a `VolumeError` with
 * `code` for what goes wrong on the server; it never names the URL.
 *
 * @example
 * const store = new RedisStore({ url: "redis://127.0.0.1:6379" });
 * await store.put(["users", "ada"], "theme", { dark: true });
 */
export class RedisStore extends BaseStore implements AsyncDisposable {
  readonly #connection: Connection;
  readonly #keys: readonly string[];
  readonly #ttl: NonNullable<RedisStoreOptions["ttl"]>;

  /** @throws TypeError for options that cannot work. It never repeats the URL. */
  constructor(options: RedisStoreOptions) {
    super();
    checkedConfiguration("RedisStore", options, OPTIONS);
    checkedConfiguration("'ttl' of RedisStore", options.ttl ?? {}, {
      defaultTtl: "count",
      refreshOnRead: "flag",
    });
    const { client, url, keyPrefix = "fs-store:", name = "default", ttl = {}, eviction } = options;
    const tag = hashTag(keyPrefix, name);
    this.#keys = [`${tag}:items`, `${tag}:index`, `${tag}:expiry`];
    this.#ttl = ttl;
    this.#connection = new Connection({
      client,
      url,
      eviction,
      volatile: false,
      probe: `${tag}:items`,
      connectTimeoutMs: options.connectTimeoutMs,
      callTimeoutMs: options.callTimeoutMs,
    });
  }

  /** As of `BaseStore`, with a lifetime. `index` is passed over: there is no semantic search. */
  override async put(
    namespace: string[],
    key: string,
    value: Item["value"],
    index?: false | string[],
    options: PutOptions = {},
  ): Promise<void> {
    const { ttl } = options;
    if (ttl === undefined) return super.put(namespace, key, value, index);
    refuseReserved(namespace);
    await this.#putAll([{ namespace, key, value, options }]);
  }

  /**
   * Answers in order. Reads see the store as it was before the batch; of several writes of one item the last counts. The
   * writes of a batch are applied together, up to 128 items or 1 MiB at once.
   */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results: unknown[] = Array.from({ length: operations.length });
    const gets: Array<[at: number, get: GetOperation]> = [];
    const puts: PutOperation[] = [];
    const slow: Array<() => Promise<void>> = [];
    for (const [at, operation] of operations.entries()) {
      if ("namespacePrefix" in operation) {
        slow.push(async () => {
          results[at] = await this.#search(operation);
        });
      } else if ("value" in operation) puts.push(operation);
      else if ("key" in operation) gets.push([at, operation]);
      else {
        slow.push(async () => {
          results[at] = await this.#listNamespaces(operation);
        });
      }
    }
    const found = await this.#getAll(gets.map(([, get]) => get));
    for (const [i, [at]] of gets.entries()) results[at] = found[i] ?? null;
    for (const task of slow) await task();
    await this.#putAll(puts);
    return results as OperationResults<Op>;
  }

  /** Removes what has expired, which reads pass over anyway. Writes do so too, a little at a time. Returns how many went. */
  async sweep(): Promise<number> {
    let swept = 0;
    for (;;) {
      const count = await this.#connection.change(SWEEP, this.#keys, [SWEEP_SLICE], {});
      if (typeof count !== "number") throw unexpected();
      swept += count;
      if (count < SWEEP_SLICE) return swept;
    }
  }

  /** Closes a connection of the store's own. */
  override async stop(): Promise<void> {
    await this.#connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #getAll(gets: readonly GetOperation[]): Promise<Array<Item | undefined>> {
    if (gets.length === 0) return [];
    const members = gets.map(({ namespace, key }) => memberOf(namespace, key));
    const args = [this.#ttl.refreshOnRead === true ? 1 : 0, ...members];
    const stored = buffersOf(await this.#connection.run(GET_ITEMS, this.#keys, args, {}));
    return members.map((member, i) => {
      const value: Buffer | undefined = stored[i];
      return value === undefined ? undefined : itemOf(member, value);
    });
  }

  async #putAll(puts: ReadonlyArray<PutOperation & { options?: PutOptions }>): Promise<void> {
    if (puts.length === 0) return;
    await this.#connection.refuseEviction({});
    const latest = new Map<string, CommandArgument[]>();
    for (const { namespace, key, value, options } of puts) {
      const member = memberOf(namespace, key);
      const minutes = options?.ttl ?? this.#ttl.defaultTtl ?? 0;
      const lifetime = value === null ? -1 : Math.ceil(minutes * 60_000);
      latest.set(member, [member, lifetime, value === null ? "" : JSON.stringify(value)]);
    }
    for (const args of putSlices([...latest.values()])) {
      await this.#connection.change(PUT_ITEMS, this.#keys, args, {});
    }
  }

  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, filter = {}, limit = 10, offset = 0 } = operation;
    const matches = compileFilter(filter);
    const texts = necessaryTexts(filter);
    // Without a filter the server counts what to skip; with one only the match here is exact.
    const exact = Object.keys(filter).length === 0;
    const found: Item[] = [];
    const wanted = exact ? limit : offset + limit;
    let skip = exact ? offset : 0;
    let { low, high }: { low: string | Buffer; high: string } = rangeBelow(namespacePrefix);
    while (found.length < wanted) {
      const most = exact ? wanted - found.length : SEARCH_NAMES;
      const args = [low, high, SEARCH_NAMES, SEARCH_BYTES, most, skip, ...texts];
      const reply: unknown = await this.#connection.run(SEARCH_ITEMS, this.#keys, args, {});
      const page = searchPageOf(reply);
      skip = page.skip;
      for (const item of page.items) if (matches(item.value)) found.push(item);
      if (page.last.length === 0) break;
      low = Buffer.concat([Buffer.from("("), page.last]);
    }
    const page = exact ? found : found.slice(offset, offset + limit);
    await this.#refresh(page);
    return page;
  }

  async #refresh(items: readonly Item[]): Promise<void> {
    if (this.#ttl.refreshOnRead !== true || items.length === 0) return;
    const members = items.map(({ namespace, key }) => memberOf(namespace, key));
    await this.#connection.run(GET_ITEMS, this.#keys, [1, ...members], {});
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset } = operation;
    await this.sweep();
    const found = new Map<string, string[]>();
    let low: string | Buffer = "-";
    for (;;) {
      const reply = await this.#connection.run(LIST_NAMESPACES, this.#keys, [low, LIST_SLICE], {});
      const slice = buffersOf(reply);
      for (const path of slice) {
        const labels = labelsOf(path.toString());
        if (!matchesConditions(labels, matchConditions)) continue;
        const cut = maxDepth === undefined ? labels : labels.slice(0, maxDepth);
        found.set(JSON.stringify(cut), cut);
      }
      const last = slice.at(-1);
      if (last === undefined || slice.length < LIST_SLICE) break;
      low = Buffer.concat([Buffer.from("["), last, Buffer.from([0, 1])]);
    }
    return [...found.values()].slice(offset, offset + limit);
  }
}
