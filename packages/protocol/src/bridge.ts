/**
 * For bridges to other interfaces: whole files through any backend, as bytes or text, changed by compare-and-swap, and paths
 * below a working directory.
 *
 * @module
 */
export {
  loadFile,
  type LoadedFile,
  storeFile,
  updateFile,
  updateText,
} from "./author/whole-file.js";
export { removeFile } from "./author/remove-file.js";
export { statOf } from "./author/stat-of.js";
export { resolvePath } from "./paths/relative.js";
