/**
 * The filesystem tools of an agent over any backend, as tools of the AI SDK.
 *
 * @module
 */
export {
  approveMutations,
  fileTools,
  type FileTools,
  type FileToolsOptions,
} from "./file-tools.js";
export type { FileToolOutput } from "./output.js";
