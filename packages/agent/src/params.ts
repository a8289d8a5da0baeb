import type { BackendOption, FilesystemMiddlewareOptions } from "@fs/middleware";
import type { FilesystemPermission } from "@fs/protocol";
import type { BaseLanguageModel } from "@langchain/core/language_models/base";
import type { SystemMessage } from "@langchain/core/messages";
import type { ClientTool, ServerTool, StructuredTool } from "@langchain/core/tools";
import type { InteropZodObject } from "@langchain/core/utils/types";
import type {
  AnnotationRoot,
  AnyStateSchema,
  BaseCheckpointSaver,
  BaseStore,
  StreamTransformer,
} from "@langchain/langgraph";
import type { AgentMiddleware, InterruptOnConfig } from "langchain";
import type { SummarizationOptions } from "./context/options.js";
import type { Prompts } from "./prompt/sections.js";
import type { AnySubAgent, SubAgent } from "./subagents/types.js";
import type { SupportedResponseFormat } from "./types/infer.js";
import type { OnError } from "./types/report.js";

/** @deprecated The structured form of a system prompt: `prefix`, then `base` instead of the base prompt, then `suffix`. */
export interface SystemPromptConfig {
  prefix?: string | SystemMessage;
  base?: string | SystemMessage | null;
  suffix?: string | SystemMessage;
}

/** Options of `createDeepAgent`. The first seventeen are those of `deepagents`. */
export interface CreateDeepAgentParams<
  TResponse extends SupportedResponseFormat = SupportedResponseFormat,
  // oxlint-disable-next-line typescript/no-explicit-any -- any annotation
  ContextSchema extends AnnotationRoot<any> | InteropZodObject = AnnotationRoot<any>,
  TMiddleware extends readonly AgentMiddleware[] = readonly AgentMiddleware[],
  TSubagents extends readonly AnySubAgent[] = readonly AnySubAgent[],
  TTools extends readonly (ClientTool | ServerTool)[] = readonly (ClientTool | ServerTool)[],
  // oxlint-disable-next-line typescript/no-explicit-any -- any projection
  TStreamTransformers extends ReadonlyArray<() => StreamTransformer<any>> = readonly [],
  TStateSchema extends AnyStateSchema | InteropZodObject | undefined = undefined,
  TSkills extends readonly string[] | undefined = readonly string[] | undefined,
> {
  /** The model, or its name. Default `anthropic:claude-sonnet-4-6`. */
  model?: BaseLanguageModel | string;
  /** Tools beside those for files, todos and subagents. */
  tools?: TTools | StructuredTool[];
  /** Comes first in the system prompt. */
  systemPrompt?: string | SystemMessage | SystemPromptConfig;
  /** State of the app's own, kept with the thread. */
  stateSchema?: TStateSchema;
  /** Middleware beside the built-in; one with the name of a built-in replaces it. */
  middleware?: TMiddleware;
  /** Whom the agent can delegate to, beside general-purpose. */
  subagents?: TSubagents;
  /** What the final answer must be. */
  responseFormat?: TResponse;
  /** What an invocation is given beside the state. */
  contextSchema?: ContextSchema;
  /** Where threads are kept. Needed for `interruptOn`. */
  checkpointer?: BaseCheckpointSaver | boolean;
  /** Where what outlives threads is kept. */
  store?: BaseStore;
  /** Where the files are. Default `new StateBackend()`: in the thread's state. */
  backend?: BackendOption;
  /** Which calls wait for a human, by tool. */
  interruptOn?: Record<string, boolean | InterruptOnConfig>;
  /** The agent's name. */
  name?: string;
  /** Memory files, such as `/memories/AGENTS.md`: absolute paths of the backend. */
  memory?: string[];
  /** Folders of skills, or single skills: absolute paths of the backend. Later ones override earlier ones. */
  skills?: TSkills;
  /** Rules for all files, also of subagents without rules of their own. */
  permissions?: FilesystemPermission[];
  /** Passed on to `createAgent`. */
  streamTransformers?: TStreamTransformers;
  /** Whether the agent keeps a todo list. Default `true`. */
  todos?: boolean;
  /** How a long conversation is kept small; `false`: not at all. */
  summarization?: SummarizationOptions | false;
  /** Options of the filesystem tools. */
  filesystem?: Omit<FilesystemMiddlewareOptions, "backend" | "permissions" | "otherTools">;
  /** Changes to the general-purpose subagent; `false`: there is none. */
  generalPurpose?: Partial<SubAgent> | false;
  /** Replaces the description of `task`; `{available_agents}` in it is where the list of subagents goes. */
  taskDescription?: string;
  /** Parts of the system prompt to replace, or to switch off with `false`. */
  prompts?: Prompts;
  /** Called with every error that the agent went on from. */
  onError?: OnError;
}

/** The options without what only types need. */
export type LooseParams = CreateDeepAgentParams<
  SupportedResponseFormat,
  // oxlint-disable-next-line typescript/no-explicit-any -- any annotation
  any,
  readonly AgentMiddleware[],
  readonly AnySubAgent[],
  readonly (ClientTool | ServerTool)[],
  // oxlint-disable-next-line typescript/no-explicit-any -- any projection
  ReadonlyArray<() => StreamTransformer<any>>,
  AnyStateSchema | InteropZodObject | undefined
>;
