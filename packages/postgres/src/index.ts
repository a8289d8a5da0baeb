/**
 * A filesystem for AI agents in PostgreSQL that searches where the data is.
 *
 * @module
 */
export {
  PostgresBackend,
  type PostgresBackendOptions,
  type PostgresSource,
} from "./postgres-backend.js";
export { pglitePool, type PgliteLike } from "./pglite-pool.js";
export type { PgClient, PgNotification, PgPool, PgQuery, PgResult } from "./pool.js";
export type { SetupOptions } from "./setup.js";
