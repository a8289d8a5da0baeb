/**
 * Files in LangGraph stores.
 *
 * @module
 */
export {
  type NamespaceFactory,
  StoreBackend,
  type StoreBackendNamespaceFactory,
  type StoreBackendOptions,
  storeVolume,
} from "./store-backend.js";
export type {
  ExecutionInfo,
  RunConfig,
  ServerInfo,
  StateAndStore,
  StoreBackendContext,
  StoreRuntime,
} from "./store-runtime.js";
