/**
 * createDeepAgent: an agent that plans, works on files, delegates, keeps its context small, asks, knows skills and remembers.
 *
 * @module
 */
export { ConfigurationError, type FilesystemPermission } from "@fs/protocol";
export {
  type BackendRuntime,
  createFilesystemMiddleware,
  type FilesystemMiddlewareOptions,
} from "@fs/middleware";
export {
  type ApprovalMiddlewareOptions,
  createApprovalMiddleware,
  type InterruptOn,
} from "./approvals/middleware.js";
export {
  createSummarizationMiddleware,
  type SummarizationMiddlewareOptions,
} from "./context/middleware.js";
export {
  computeSummarizationDefaults,
  type ContextSize,
  type SummarizationOptions,
} from "./context/options.js";
export { createDeepAgent } from "./create-deep-agent.js";
export { createToolErrorMiddleware } from "./errors/tool-errors.js";
export { createMemoryMiddleware, type MemoryMiddlewareOptions } from "./memory/middleware.js";
export type { CreateDeepAgentParams, SystemPromptConfig } from "./params.js";
export type { Prompts } from "./prompt/sections.js";
export { createTodoMiddleware } from "./prompt/todos.js";
export { createPatchToolCallsMiddleware } from "./repair/tool-calls.js";
export {
  createSkillsMiddleware,
  skillsMetadataValue,
  type SkillsMiddlewareOptions,
} from "./skills/middleware.js";
export {
  MAX_SKILL_COMPATIBILITY_LENGTH,
  MAX_SKILL_DESCRIPTION_LENGTH,
  MAX_SKILL_FILE_SIZE,
  MAX_SKILL_NAME_LENGTH,
  type ParsedSkill,
  parseSkill,
  type SkillMetadata,
} from "./skills/parse.js";
export {
  createSubAgentMiddleware,
  type SubAgentMiddlewareOptions,
} from "./subagents/middleware.js";
export {
  type AnySubAgent,
  type CompiledSubAgent,
  type ForkedSubAgent,
  GENERAL_PURPOSE_SUBAGENT,
  type SubAgent,
} from "./subagents/types.js";
export type { DeepAgent } from "./types/agent.js";
export type {
  DeepAgentTypeConfig,
  DefaultDeepAgentTypeConfig,
  InferDeepAgentType,
  InferStructuredResponse,
  ResolveDeepAgentTypeConfig,
  SupportedResponseFormat,
} from "./types/infer.js";
export type {
  ExtractSubAgentMiddleware,
  FlattenSubAgentMiddleware,
  InferDeepAgentSubagents,
  InferSubAgentMiddlewareStates,
  InferSubagentByName,
  InferSubagentReactAgentType,
  MergedDeepAgentState,
} from "./types/infer-subagents.js";
export type { DeepAgentRunStream } from "./types/stream.js";
export type { SubagentRunStream } from "langchain";
export type { ErrorPlace, OnError } from "./types/report.js";
