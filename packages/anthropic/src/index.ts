/**
 * The memory tool of Claude over any filesystem backend.
 *
 * @module
 */
export {
  memoryHandlers,
  type MemoryOptions,
  memoryTool,
  type MemoryToolOptions,
} from "./memory-tool.js";
