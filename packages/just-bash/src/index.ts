/**
 * Any filesystem backend as the filesystem of just-bash, and searches pushed down to it.
 *
 * @module
 */
export { backendBash, type BackendBashOptions, bashFilesystem } from "./backend-bash.js";
export type { BashFilesystem } from "./bash-filesystem.js";
