/**
 * The filesystem tools of an agent over any backend, without a framework: what a model sees, what it gets back, and what a
 * call can do.
 *
 * @module
 */
export { refusal, textOf } from "./answer.js";
export { carriedUpdate, type FilesUpdate } from "./carried-update.js";
export type {
  ContentPart,
  Effects,
  ToolAnswer,
  ToolContext,
  ToolDefinition,
} from "./definition.js";
export { inputSchemaOf, type ObjectSchema, outputSchemaOf } from "./json-schema.js";
export { canonicalName, type KnownFiles, noKnownFiles, sessionFiles } from "./known-files.js";
export { annotationsOf, type ToolAnnotations } from "./annotations.js";
export { isToolName, TOOL_NAMES, type ToolName } from "./names.js";
export { provenMediaType } from "./output/media.js";
export { isRecord } from "./schema.js";
export { type GivenSettings, type ToolSettings, toolSettings } from "./settings.js";
export { statOf } from "@fs/protocol/bridge";
export { estimateTokens, type TokenCounter } from "./token-count.js";
export type { LateContext, Tool } from "./tool.js";
export { supports, type ToolChoice, TOOLS, toolsFor } from "./toolbox.js";
export { executeDescription } from "./tools/execute.js";
