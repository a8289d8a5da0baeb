/**
 * A filesystem for AI agents in a LangSmith Hub repository, with a commit for every change.
 *
 * @module
 */
export {
  ContextHubBackend,
  type ContextHubBackendOptions,
  type HistoryResult,
  hubVolume,
  type RefreshResult,
} from "./context-hub-backend.js";
export type { HubCommit, RetryOptions } from "./repository.js";
