import type { CallOptions, WatchableBackend, WatchResult } from "@fs/protocol";
import {
  checkedConfiguration,
  VolumeBackend,
  type VolumeBackendOptions,
  namespaceText,
  guardListener,
} from "@fs/protocol/author";
import { watchPath } from "@fs/protocol/async";
import { Database } from "./database.js";
import { poolSource } from "./open-pool.js";
import { namespaceKey } from "./path-key.js";
import type { PgPool } from "./pool.js";
import { postgresVolume } from "./postgres-volume.js";
import { setUp, type SetupOptions } from "./setup.js";
import { tableNames, type TableNames } from "./table-names.js";
import { forgetTrigramIndex } from "./trigram-index.js";
import { listen, type Watched } from "./watch.js";

/** A pool of the caller's, or where to open one. */
export type PostgresSource =
  | {
      /** A pool of `pg`, or anything with its `connect`. It stays yours to end, and needs an `error` listener of yours. */
      client: PgPool;
      url?: undefined;
    }
  | {
      /** Instead of `client`: a `postgres://` URL. A pool is opened at the first call, and ended by `close()`. */
      url: string;
      client?: undefined;
    };

export type PostgresBackendOptions = PostgresSource &
  VolumeBackendOptions & {
    /** The schema of the table. Default `"public"`. */
    schema?: string;
    /** The name of the table, at most 50 bytes. Default `"fs_files"`. */
    table?: string;
    /**
     * Whose files: one name, or a path of names such as `[tenant, user]`. Backends with different namespaces share a table
     * and see nothing of each other. Default `"default"`.
     */
    namespace?: string | readonly string[];
    /** Prepare statements by name, which saves a third of a small call. `false` for a pooler that loses them (PgBouncer before 1.21). Default `true`. */
    preparedStatements?: boolean;
    /** Milliseconds to get a connection, after which a call is `unavailable` and nothing has happened. Default 10,000. */
    connectTimeoutMs?: number;
    /**
     * Milliseconds to get the answer of a statement or of a transaction. After them a read is `timeout`, and a change
     * `unavailable`, which may or may not have been stored. `setup` has no limit. Default 60,000.
     */
    callTimeoutMs?: number;
  };

/** Bytes a file may have unless the options say otherwise: what travels in one piece either way. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;
const OPTIONS = {
  client: "object",
  url: "text",
  schema: "text",
  table: "text",
  namespace: "any",
  preparedStatements: "flag",
  connectTimeoutMs: "milliseconds",
  callTimeoutMs: "milliseconds",
  writeMode: ["create", "overwrite"],
  maxFileBytes: "count",
  concurrency: "positive",
  onError: "function",
} as const;
const CONNECT_TIMEOUT_MS = 10_000;
const CALL_TIMEOUT_MS = 60_000;

/**
 * A filesystem in one table of a PostgreSQL database. Search, edits, moves and listings run on the server; nearly every
 * call is one round trip.
 *
 * @example
 * await using backend = new PostgresBackend({ url: process.env.DATABASE_URL });
 * await backend.setup();
 * await backend.write("/notes.md", "one\n");
 */
export class PostgresBackend extends VolumeBackend implements WatchableBackend {
  readonly #database: Database;
  readonly #names: TableNames;
  readonly #watched: Watched;
  readonly #onError: VolumeBackendOptions["onError"];
  readonly #closing = new AbortController();

  /** Throws a TypeError for a name that PostgreSQL could not keep. Connects to nothing yet. */
  constructor(options: PostgresBackendOptions) {
    checkedConfiguration("PostgresBackend", options, OPTIONS);
    const { schema = "public", table = "fs_files", namespace = "default", ...rest } = options;
    const names = tableNames(schema, table);
    const limits = {
      connectTimeoutMs: options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      callTimeoutMs: options.callTimeoutMs ?? CALL_TIMEOUT_MS,
    };
    if ((options.client === undefined) === (options.url === undefined))
      throw new TypeError("Give either 'client' or 'url'.");
    const source = poolSource(options, limits.connectTimeoutMs, (error) =>
      guardListener(() => rest.onError?.(error, { operation: "idle", path: "/" })),
    );
    const database = new Database(source.open, limits, options.preparedStatements ?? true);
    const key = namespaceKey(namespaceText(namespace));
    const maxFileBytes = Math.min(rest.maxFileBytes ?? MAX_FILE_BYTES, MAX_FILE_BYTES);
    const text =
      options.client?.dropsByteOrderMark === true ? withSecondMark : (sql: string) => sql;
    const files = { database, names, namespace: key, text };
    super(postgresVolume(files, source.close), { ...rest, maxFileBytes });
    this.#database = database;
    this.#names = names;
    this.#watched = { database, names, namespace: key };
    this.#onError = rest.onError;
  }

  /**
   * Creates the schema or brings it up to date. Idempotent; any number of processes may call it at once. Throws a
   * `VolumeError`: `permission_denied` naming the rights that are missing, `unsupported` for a database that is not UTF-8.
   */
  async setup(options: SetupOptions = {}): Promise<void> {
    await setUp(this.#database, this.#names, options);
    forgetTrigramIndex(this.#database);
  }

  /**
   * Changes by anybody at or below a path, as their transactions commit, from the moment this answers. Needs
   * `setup({ watch: true })` once, and a connection of its own. Nothing is kept for a watcher that is away: after a lost
   * connection, or when 10,000 changes wait, it gets one change of the path itself.
   *
   * @returns `changes`, to be read with `for await`; it ends with the signal, a `break` or the backend. Or `error` and `code`:
   * `invalid_path`, `unsupported` (the pool cannot listen, or the set-up is missing), `unavailable`, `aborted`.
   * @example
   * const { changes } = await files.watch("/inbox");
   * for await (const { type, path } of changes ?? []) console.log(type, path);
   */
  async watch(path = "/", options?: CallOptions | null): Promise<WatchResult> {
    const signal = options?.signal;
    const call = { path, signal, closed: this.#closing.signal, onError: this.#onError };
    return watchPath(call, (changes) => listen(this.#watched, changes));
  }

  override async close(): Promise<void> {
    this.#closing.abort();
    await super.close();
  }
}

function withSecondMark(sql: string): string {
  return `case when starts_with(${sql}, U&'\\FEFF') then U&'\\FEFF' || ${sql} else ${sql} end`;
}
