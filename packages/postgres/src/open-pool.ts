import { VolumeError } from "@fs/protocol/author";
import type { PgPool } from "./pool.js";

/** A pool that this package opened and has to end. */
export interface OwnPool extends PgPool {
  end(): Promise<void>;
}

/**
 * Opens a pool of `pg`. The connection string never appears in an error: a malformed one is `unavailable` with no more
 * than that.
 */
export async function openPool(
  connectionString: string,
  onIdleError: (error: unknown) => void,
): Promise<OwnPool> {
  const { default: pg } = await import("pg");
  try {
    const pool = new pg.Pool({ connectionString });
    // Without a listener, an idle connection that the server closes ends the process.
    pool.on("error", onIdleError);
    return pool;
  } catch {
    // The parser's own error repeats the string, password and all.
    throw new VolumeError("unavailable", "The connection string of this filesystem is not valid.");
  }
}
