/* oxlint-disable typescript/no-explicit-any -- inference over every type configuration */
import type { createFilesystemMiddleware } from "@fs/middleware";
import type { ClientTool, ServerTool } from "@langchain/core/tools";
import type { InteropZodObject } from "@langchain/core/utils/types";
import type { AnyStateSchema, StateSchema, StreamTransformer } from "@langchain/langgraph";
import type { AgentMiddleware, ReactAgent, Todo } from "langchain";
import type { z } from "zod";
import type { createSkillsMiddleware } from "../skills/middleware.js";
import type { AnySubAgent } from "../subagents/types.js";
import type {
  DeepAgentTypeConfig,
  InferStructuredResponse,
  SupportedResponseFormat,
} from "./infer.js";
import type { FlattenSubAgentMiddleware } from "./infer-subagents.js";
import type { BuiltInTools, DeepAgentRunStream, StreamExtensions } from "./stream.js";

/** An agent of `createAgent` that knows its subagents. */
export interface DeepAgent<
  TTypes extends DeepAgentTypeConfig = DeepAgentTypeConfig,
> extends ReactAgent<TTypes> {
  /** Only a type: what the `Infer…` types read. */
  readonly "~deepAgentTypes": TTypes;
  /** With `version: "v3"`: messages, tool calls and subagents as typed streams of their own. */
  streamEvents: ((
    state: Parameters<ReactAgent<TTypes>["invoke"]>[0],
    config: NonNullable<Parameters<ReactAgent<TTypes>["invoke"]>[1]> & { version: "v3" },
  ) => Promise<
    DeepAgentRunStream<
      Awaited<ReturnType<ReactAgent<TTypes>["invoke"]>>,
      readonly [...TTypes["Tools"], ...BuiltInTools],
      TTypes["Subagents"],
      StreamExtensions<TTypes["StreamTransformers"]>
    >
  >) &
    ReactAgent<TTypes>["streamEvents"];
}

type Filesystem = ReturnType<typeof createFilesystemMiddleware>;
// The state of LangChain's todo list; its own type, over Zod 3, does not fit under exactOptionalPropertyTypes.
type Todos = AgentMiddleware<
  StateSchema<{ todos: z.ZodType<Array<Todo>> }>,
  undefined,
  unknown,
  readonly [],
  readonly []
>;
type Skills<TSkills extends readonly string[] | undefined> = [TSkills] extends [undefined]
  ? readonly []
  : [TSkills] extends [readonly []]
    ? readonly []
    : readonly [ReturnType<typeof createSkillsMiddleware>];

/** What `createDeepAgent` makes of its options. */
export type CreatedDeepAgent<
  TResponse extends SupportedResponseFormat,
  ContextSchema extends InteropZodObject,
  TMiddleware extends readonly AgentMiddleware[],
  TSubagents extends readonly AnySubAgent[],
  TTools extends readonly (ClientTool | ServerTool)[],
  TStreamTransformers extends ReadonlyArray<() => StreamTransformer<any>>,
  TStateSchema extends AnyStateSchema | InteropZodObject | undefined,
  TSkills extends readonly string[] | undefined,
> = DeepAgent<
  DeepAgentTypeConfig<
    InferStructuredResponse<TResponse>,
    TStateSchema,
    ContextSchema,
    readonly [
      ...Skills<TSkills>,
      Filesystem,
      Todos,
      ...TMiddleware,
      ...FlattenSubAgentMiddleware<TSubagents>,
    ],
    TTools,
    TSubagents,
    TStreamTransformers
  >
>;
