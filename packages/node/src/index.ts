/**
 * Any filesystem backend as an object like `node:fs/promises`, and the errors of Node for the codes of the protocol.
 *
 * @module
 */
export { ERRNO_OF_CODE, errnoError, errnoOf, type FilesystemError } from "./errno.js";
export {
  nodeFilesystem,
  type NodeFilesystem,
  type NodeFilesystemOptions,
} from "./node-filesystem.js";
export type { PathLike } from "./paths.js";
export { bytesOf, type Encoded, encodingOf, type WriteFileOptions } from "./file-content.js";
export type { Dirent, Stats } from "./stats.js";
