/* oxlint-disable typescript/no-explicit-any -- inference over every type configuration */
import type { ClientTool, ServerTool, StructuredTool } from "@langchain/core/tools";
import type { InteropZodObject } from "@langchain/core/utils/types";
import type { AnnotationRoot, StateDefinitionInit, StreamTransformer } from "@langchain/langgraph";
import type {
  AgentMiddleware,
  AgentTypeConfig,
  ProviderStrategy,
  ResponseFormat,
  ResponseFormatUndefined,
  ToolStrategy,
} from "langchain";
import type { AnySubAgent } from "../subagents/types.js";

type AnyAnnotationRoot = AnnotationRoot<any>;

interface TypedToolStrategy<T = unknown> extends Array<ToolStrategy<any>> {
  _schemaType?: T;
}

/** What `responseFormat` may be: what `createAgent` takes. */
export type SupportedResponseFormat = ResponseFormat | TypedToolStrategy<any>;

/** The type of `structuredResponse` for a response format; left out without one. */
export type InferStructuredResponse<T extends SupportedResponseFormat> =
  SupportedResponseFormat extends T
    ? ResponseFormatUndefined
    : T extends TypedToolStrategy<infer U>
      ? U
      : T extends ToolStrategy<infer U>
        ? U
        : T extends ProviderStrategy<infer U>
          ? U
          : ResponseFormatUndefined;

/** Every type parameter of a deep agent, with those of `createAgent` and its subagents. */
export interface DeepAgentTypeConfig<
  TResponse extends Record<string, any> | ResponseFormatUndefined =
    | Record<string, any>
    | ResponseFormatUndefined,
  TState extends StateDefinitionInit | undefined = StateDefinitionInit | undefined,
  TContext extends AnyAnnotationRoot | InteropZodObject = AnyAnnotationRoot | InteropZodObject,
  TMiddleware extends readonly AgentMiddleware[] = readonly AgentMiddleware[],
  TTools extends readonly (ClientTool | ServerTool)[] = readonly (ClientTool | ServerTool)[],
  TSubagents extends readonly AnySubAgent[] = readonly AnySubAgent[],
  TStreamTransformers extends ReadonlyArray<() => StreamTransformer<any>> = ReadonlyArray<
    () => StreamTransformer<any>
  >,
> extends AgentTypeConfig<TResponse, TState, TContext, TMiddleware, TTools, TStreamTransformers> {
  Subagents: TSubagents;
}

/** The configuration of an agent about which nothing is known. */
export interface DefaultDeepAgentTypeConfig extends DeepAgentTypeConfig {
  Response: Record<string, any>;
  State: undefined;
  Context: AnyAnnotationRoot;
  Middleware: readonly AgentMiddleware[];
  Tools: readonly (ClientTool | ServerTool)[];
  Subagents: readonly AnySubAgent[];
  StreamTransformers: readonly [];
}

/** The configuration of an agent, or a configuration itself. */
export type ResolveDeepAgentTypeConfig<T> = T extends { "~deepAgentTypes": infer Types }
  ? Types extends DeepAgentTypeConfig
    ? Types
    : never
  : T extends DeepAgentTypeConfig
    ? T
    : never;

/** One entry of an agent's configuration. */
export type InferDeepAgentType<
  T,
  K extends keyof DeepAgentTypeConfig,
> = ResolveDeepAgentTypeConfig<T>[K];

/** A tool of which only the name is known. */
export type NamedTool<N extends string> = { name: N } & StructuredTool;
