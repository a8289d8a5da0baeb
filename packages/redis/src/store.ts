/**
 * A LangGraph store on plain Redis or Valkey. Needs `@langchain/langgraph-checkpoint`.
 *
 * @module
 */
export type { RedisClient } from "./client.js";
export { type PutOptions, RedisStore, type RedisStoreOptions } from "./store/redis-store.js";
