/**
 * A directory of the host as a filesystem for agents, confined to it.
 *
 * @module
 */
export { FilesystemBackend, type FilesystemBackendOptions } from "./filesystem-backend.js";
export type { Containment } from "./tree/tree.js";
