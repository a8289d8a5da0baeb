/**
 * The memory tool of Claude over any filesystem backend.
 *
 * @module
 */
export { memoryHandlers, type MemoryOptions } from "./memory-handlers.js";
