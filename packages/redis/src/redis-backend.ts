import {
  VolumeBackend,
  type VolumeBackendOptions,
  checkedConfiguration,
} from "@fs/protocol/author";
import type { CallOptions, WatchableBackend, WatchResult } from "@fs/protocol";
import { watchPath } from "@fs/protocol/async";
import type { RedisClient } from "./client.js";
import { Connection } from "./connection.js";
import { namespaceKeys } from "./keyspace.js";
import { redisVolume } from "./redis-volume.js";
import { listen } from "./watch.js";

/**
 * Bytes a file may have unless the options say otherwise: 4 MiB, the largest for which no script takes 10 ms of the server's
 * time, see docs/benchmarks/redis.md. A server does one thing at a time, so that a larger file holds up every client.
 */
export const DEFAULT_MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Bytes that the server takes in one argument unless it is set up otherwise (`proto-max-bulk-len`). */
const SERVER_LIMIT = 512 * 1024 * 1024;

const OPTIONS = {
  client: "object",
  url: "text",
  keyPrefix: "any",
  namespace: "any",
  ttlSeconds: "any",
  eviction: ["refuse", "allow"],
  connectTimeoutMs: "milliseconds",
  callTimeoutMs: "milliseconds",
  writeMode: ["create", "overwrite"],
  maxFileBytes: "count",
  concurrency: "positive",
  onError: "function",
} as const;

export interface RedisBackendOptions extends VolumeBackendOptions {
  /** An ioredis `Redis` or `Cluster` of yours. It stays open when the backend is disposed of. */
  client?: RedisClient;
  /** `redis://` or `rediss://`, instead of a client. Opened at the first call, closed with the backend. */
  url?: string;
  /** What every key starts with. Default `"fs:"`. */
  keyPrefix?: string;
  /** Whose files: one name, or a path of names such as `[tenant, user]`. Default `"default"`. */
  namespace?: string | readonly string[];
  /** Seconds after its last change at which the whole namespace expires, for scratch space. Default: never. */
  ttlSeconds?: number;
  /**
   * What to do where the server may evict keys (`maxmemory` with an `allkeys-*` policy, or `volatile-*` with `ttlSeconds`).
   * `"refuse"` (default): writes fail with `unsupported`. `"allow"`: the files are a cache and may vanish.
   */
  eviction?: "refuse" | "allow";
  /** Milliseconds to open a connection to `url`. Default 5,000. */
  connectTimeoutMs?: number;
  /**
   * Milliseconds to get the answer of a command, whoever's the client is. After them a read is `timeout`, and a change
   * `unavailable`, which may or may not have been stored. Default 30,000.
   */
  callTimeoutMs?: number;
  /** Bytes that a file may have; more is `too_large`. At most 512 MiB. Default 4 MiB. */
  maxFileBytes?: number;
}

/**
 * Files in Redis or Valkey, on core commands and Lua: every change is one script, so that content, index and version never
 * disagree, for any number of clients.
 *
 * @example
 * await using files = new RedisBackend({ url: "redis://127.0.0.1:6379", namespace: ["acme", "ada"] });
 * await files.write("/notes.md", "# Notes\n");
 */
export class RedisBackend extends VolumeBackend implements WatchableBackend {
  readonly #connection: Connection;
  readonly #channel: string;
  readonly #onError: VolumeBackendOptions["onError"];
  readonly #closing = new AbortController();

  /** @throws TypeError for options that cannot work. It never repeats the URL. */
  constructor(options: RedisBackendOptions) {
    checkedConfiguration("RedisBackend", options, OPTIONS);
    const { client, url, keyPrefix = "fs:", namespace = "default", ttlSeconds, eviction } = options;
    const maxFileBytes = options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES;
    if (!(maxFileBytes > 0 && maxFileBytes <= SERVER_LIMIT)) {
      throw new TypeError(`'maxFileBytes' must lie between 1 and ${SERVER_LIMIT}.`);
    }
    if (ttlSeconds !== undefined && !(ttlSeconds > 0 && Number.isFinite(ttlSeconds))) {
      throw new TypeError("'ttlSeconds' must be a number of seconds above 0.");
    }
    const keys = namespaceKeys(keyPrefix, namespace);
    const volatile = ttlSeconds !== undefined;
    const { connectTimeoutMs, callTimeoutMs } = options;
    const probe = keys[0];
    const limits = { connectTimeoutMs, callTimeoutMs };
    const connection = new Connection({ client, url, eviction, volatile, probe, ...limits });
    const volume = redisVolume({
      connection,
      keys,
      ttl: ttlSeconds === undefined ? 0 : Math.ceil(ttlSeconds * 1000),
    });
    super(volume, { ...options, maxFileBytes });
    this.#connection = connection;
    this.#channel = keys[0];
    this.#onError = options.onError;
  }

  /**
   * Changes by any client at or below a path, as they happen, from the moment this answers. Nothing is kept for a watcher
   * that is away: after a lost connection, or when 10,000 changes wait, it gets one change of the path itself.
   *
   * @returns `changes`, to be read with `for await`; it ends with the signal, a `break` or the backend. Or `error` and `code`:
   * `invalid_path`, `unavailable`, `permission_denied`, `aborted`.
   * @example
   * const { changes } = await files.watch("/inbox");
   * for await (const { type, path } of changes ?? []) console.log(type, path);
   */
  async watch(path = "/", options?: CallOptions | null): Promise<WatchResult> {
    const signal = options?.signal;
    const call = { path, signal, closed: this.#closing.signal, onError: this.#onError };
    return watchPath(call, async (changes) => {
      const client = await this.#connection.client();
      // Scripts announce under the key as the server knows it.
      const channel = `${client.options?.keyPrefix ?? ""}${this.#channel}`;
      await listen(client, channel, changes, this.#connection.callTimeoutMs);
    });
  }

  override async close(): Promise<void> {
    this.#closing.abort();
    await super.close();
  }
}
