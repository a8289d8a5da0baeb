import { VolumeError } from "@fs/protocol/author";
import type { PgPool } from "./pool.js";

/** A pool that this package opened and has to end. */
interface OwnPool extends PgPool {
  end(): Promise<void>;
}

/** Where the connections come from, and who ends them. */
export interface PoolSource {
  open(): Promise<PgPool>;
  close(): Promise<void>;
}

/** The caller's pool, which stays open, or one of our own that is opened at the first call. */
export function poolSource(
  {
    client,
    url,
    preparedStatements = true,
  }: {
    readonly client?: PgPool | undefined;
    readonly url?: string | undefined;
    readonly preparedStatements?: boolean;
  },
  connectTimeoutMs: number,
  onIdleError: (error: unknown) => void,
): PoolSource {
  if (client !== undefined) return { open: async () => client, close: async () => undefined };
  let opened: Promise<OwnPool> | undefined;
  let closed = false;
  return {
    open: async () => {
      // A pool opened after the end would never be ended.
      if (closed) throw new VolumeError("unavailable", "This filesystem has been closed.");
      return (opened ??= openPool(url ?? "", connectTimeoutMs, onIdleError, preparedStatements));
    },
    close: async () => {
      closed = true;
      const own = await opened;
      opened = undefined;
      await own?.end();
    },
  };
}

/** SQLSTATE of a setting that the server does not have. */
const UNKNOWN_SETTING = "42704";

/**
 * Compiling a statement takes 50 to 500 ms on a connection's first searches and listings, and saves less. Not as a parameter
 * of the start of a session: poolers refuse those. A server that has no such setting does not compile.
 *
 * @throws What else the server refuses.
 */
async function withoutCompiling(client: { query(text: string): Promise<unknown> }): Promise<void> {
  try {
    await client.query("set jit = off");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === UNKNOWN_SETTING)) throw error;
  }
}

/** Opens a pool of `pg`. The URL never appears in an error: a malformed one is `unavailable` with no more than that. */
async function openPool(
  url: string,
  connectTimeoutMs: number,
  onIdleError: (error: unknown) => void,
  keepsSessions: boolean,
): Promise<OwnPool> {
  const { default: pg } = await import("pg");
  const connectionTimeoutMillis = Number.isFinite(connectTimeoutMs) ? connectTimeoutMs : 0;
  try {
    // The pool waits for it, though its types do not say so. Behind a pooler that loses prepared statements, the setting
    // would reach the sessions of others.
    const onceConnected: object = keepsSessions ? { onConnect: withoutCompiling } : {};
    const connection = { connectionString: url, connectionTimeoutMillis, keepAlive: true };
    const pool = new pg.Pool({ ...connection, ...onceConnected });
    // Without a listener, an idle connection that the server closes ends the process.
    pool.on("error", onIdleError);
    return pool;
  } catch {
    // The parser's own error repeats the URL, password and all.
    throw new VolumeError("unavailable", "The URL of this filesystem's database is not valid.");
  }
}
