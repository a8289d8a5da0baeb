/**
 * Files in LangGraph stores.
 *
 * @module
 */
export { type NamespaceFactory, StoreBackend, type StoreBackendOptions } from "./store-backend.js";
export type {
  ExecutionInfo,
  RunConfig,
  ServerInfo,
  StateAndStore,
  StoreRuntime,
} from "./store-runtime.js";
