/**
 * A filesystem backend in Redis or Valkey.
 *
 * @module
 */
export type { RedisClient } from "./client.js";
export { DEFAULT_MAX_FILE_BYTES, RedisBackend, type RedisBackendOptions } from "./redis-backend.js";
