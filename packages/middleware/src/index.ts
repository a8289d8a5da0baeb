/**
 * The filesystem tools of an agent, as LangChain middleware over any backend.
 *
 * @module
 */
export { ConfigurationError } from "@fs/protocol";
export { createFilesystemMiddleware } from "./middleware.js";
export { readableText } from "./offload/readable-text.js";
export { carriedUpdate, estimateTokens, type FilesUpdate, type TokenCounter } from "@fs/tools";
export type { BackendOption, BackendRuntime, FilesystemMiddlewareOptions } from "./options.js";
export type { StagingInterrupt } from "./staging/interrupt.js";
export type { StagingDecision } from "./staging/decision.js";
export type { StagingSettings } from "./staging/options.js";
export { memoryByThread } from "./staging/memory-by-thread.js";
export type { FilesystemInterrupt } from "./permission-prompt.js";
export { filesystemPrompt } from "./prompt.js";
export {
  FILESYSTEM_TOOL_NAMES,
  type FsToolName,
  TOOLS_EXCLUDED_FROM_EVICTION,
} from "./tool-names.js";
