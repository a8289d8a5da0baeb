/**
 * The filesystem protocol for AI agents: result types, the rules every backend obeys, and the router.
 *
 * @module
 */
export { ERROR_CODES, type ErrorCode, isErrorCode } from "./errors/codes.js";
export { MemoryBackend } from "./memory/memory-backend.js";
export { MemoryVolume } from "./memory/memory-volume.js";
export { VolumeBackend, type VolumeBackendOptions } from "./backend/volume-backend.js";
export type * from "./types/options.js";
export type * from "./types/protocol.js";
export type * from "./types/results.js";
