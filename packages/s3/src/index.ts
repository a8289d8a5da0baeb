/**
 * A filesystem for AI agents in any S3-compatible bucket.
 *
 * @module
 */
export type { S3BackendOptions, S3ConnectionOptions, S3Consistency } from "./options.js";
export type { PresignOptions } from "./presign.js";
export { S3Backend, type PresignResult } from "./s3-backend.js";
