/**
 * A filesystem for AI agents in any S3-compatible bucket.
 *
 * @module
 */
export type {
  S3BackendOptions,
  S3ConnectionOptions,
  S3Consistency,
  S3Encryption,
} from "./options.js";
export type { PresignOptions } from "./presign.js";
export { S3Backend, type PresignResult, type UnfinishedUploadsResult } from "./s3-backend.js";
export { s3Volume } from "./s3-volume.js";
