/**
 * Any filesystem backend as the filesystem of a Mastra workspace.
 *
 * @module
 */
export { mastraFilesystem, type MastraFilesystemOptions } from "./mastra-filesystem.js";
export type { MastraErrors } from "./mastra-errors.js";
