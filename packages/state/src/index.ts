/**
 * Files in LangGraph state.
 *
 * @module
 */
export type { ContentOptions } from "./content-store.js";
export type { FileFormat, FilesRecord, StoredFile } from "./file-data.js";
export { filesChanged } from "./files-changed.js";
export type { FilesUpdate } from "./operations.js";
export type { FilesInput } from "./reducer.js";
export { filesReducedValue, filesSchema, filesValue } from "./schema.js";
export { sharedFiles, type SharedFiles } from "./shared-files.js";
export { StateBackend, type StateBackendOptions } from "./state-backend.js";
