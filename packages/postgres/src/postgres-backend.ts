import type { CallOptions, WatchableBackend, WatchResult } from "@fs/protocol";
import {
  VolumeBackend,
  type VolumeBackendOptions,
  VolumeError,
  watchPath,
} from "@fs/protocol/author";
import { Database } from "./database.js";
import { type OwnPool, openPool } from "./open-pool.js";
import { namespaceKey } from "./path-key.js";
import type { PgPool } from "./pool.js";
import { PostgresVolume } from "./postgres-volume.js";
import { setUp, type SetupOptions } from "./setup.js";
import { tableNames, type TableNames } from "./table-names.js";
import { forgetTrigramIndex } from "./trigram-index.js";
import { listen, type Watched } from "./watch.js";

/** A pool of the caller's, or where to open one. */
export type PostgresSource =
  | {
      /** A pool of `pg`, or one that looks like it. It stays the caller's to end. */
      pool: PgPool;
      connectionString?: never;
    }
  | {
      /** A `postgres://` URL. A pool is opened at the first call and ended with the backend. */
      connectionString: string;
      pool?: never;
    };

export type PostgresBackendOptions = PostgresSource &
  Omit<VolumeBackendOptions, "resolvePath"> & {
    /** Default `"public"`. */
    schema?: string;
    /** Default `"fs_files"`. At most 50 bytes. */
    table?: string;
    /** Whose files: backends with different namespaces share a table and see nothing of each other. Default `""`. */
    namespace?: string;
    /** Prepare statements by name, which saves a third of a small call. `false` for a pooler that cannot. Default `true`. */
    preparedStatements?: boolean;
  };

/** Bytes a file may have unless the options say otherwise: what travels in one piece either way. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/**
 * A filesystem in one table of a PostgreSQL database. Search, edits, moves and listings run on the server; nearly every
 * call is one round trip.
 *
 * @example
 * await using backend = new PostgresBackend({ connectionString: process.env.DATABASE_URL });
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
    const { schema = "public", table = "fs_files", namespace = "", ...rest } = options;
    if (typeof namespace !== "string" || !namespace.isWellFormed() || namespace.includes("\0"))
      throw new TypeError("'namespace' must be a well-formed string without a NUL.");
    const names = tableNames(schema, table);
    const source = poolSource(options);
    const database = new Database(source.open, options.preparedStatements ?? true);
    const key = namespaceKey(namespace);
    const maxFileBytes = Math.min(rest.maxFileBytes ?? MAX_FILE_BYTES, MAX_FILE_BYTES);
    const text = options.pool?.dropsByteOrderMark === true ? withSecondMark : (sql: string) => sql;
    const files = { database, names, namespace: key, text };
    super(new PostgresVolume(files, source.close), { ...rest, maxFileBytes });
    this.#database = database;
    this.#names = names;
    this.#watched = { database, names, namespace: key };
    this.#onError = rest.onError;
  }

  /**
   * Creates the schema or brings it up to date. Idempotent; any number of processes may call it at once. Throws a
   * `VolumeError`: `permission_denied` without the right to create, `unsupported` for a database that is not UTF-8.
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
  async watch(path = "/", { signal }: CallOptions = {}): Promise<WatchResult> {
    const call = { path, signal, closed: this.#closing.signal, onError: this.#onError };
    return watchPath(call, (changes) => listen(this.#watched, changes));
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await super[Symbol.asyncDispose]();
  }
}

function withSecondMark(sql: string): string {
  return `case when starts_with(${sql}, U&'\\FEFF') then U&'\\FEFF' || ${sql} else ${sql} end`;
}

function poolSource(options: PostgresBackendOptions): {
  open: () => Promise<PgPool>;
  close: () => Promise<void>;
} {
  const { pool, connectionString, onError } = options;
  if (pool !== undefined) return { open: async () => pool, close: async () => undefined };
  if (typeof connectionString !== "string")
    throw new TypeError("Give either 'pool' or 'connectionString'.");
  let opened: Promise<OwnPool> | undefined;
  let closed = false;
  const report = (error: unknown): void => onError?.(error, { operation: "idle", path: "/" });
  return {
    open: async () => {
      // A pool opened after the end would never be ended.
      if (closed) throw new VolumeError("unavailable", "This filesystem has been closed.");
      return (opened ??= openPool(connectionString, report));
    },
    close: async () => {
      closed = true;
      const own = await opened;
      opened = undefined;
      await own?.end();
    },
  };
}
