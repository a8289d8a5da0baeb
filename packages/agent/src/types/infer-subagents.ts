/* oxlint-disable typescript/no-explicit-any -- inference over every type configuration */
import type { AnnotationRoot } from "@langchain/langgraph";
import type {
  AgentMiddleware,
  AgentTypeConfig,
  InferMiddlewareStates,
  ReactAgent,
  ResponseFormatUndefined,
} from "langchain";
import type { AnySubAgent, CompiledSubAgent, SubAgent } from "../subagents/types.js";
import type { InferDeepAgentType } from "./infer.js";

/** The middleware of one subagent. */
export type ExtractSubAgentMiddleware<T> = T extends { middleware?: infer M }
  ? M extends readonly AgentMiddleware[]
    ? M
    : M extends AgentMiddleware[]
      ? M
      : readonly []
  : readonly [];

/** The middleware of all subagents. */
export type FlattenSubAgentMiddleware<T extends readonly AnySubAgent[]> = T extends readonly []
  ? readonly []
  : T extends readonly [infer First, ...infer Rest]
    ? Rest extends readonly AnySubAgent[]
      ? readonly [...ExtractSubAgentMiddleware<First>, ...FlattenSubAgentMiddleware<Rest>]
      : ExtractSubAgentMiddleware<First>
    : readonly [];

/** The state that the middleware of all subagents adds. */
export type InferSubAgentMiddlewareStates<T extends readonly AnySubAgent[]> = InferMiddlewareStates<
  FlattenSubAgentMiddleware<T>
>;

/** The state that the middleware of an agent and of its subagents adds. */
export type MergedDeepAgentState<
  TMiddleware extends readonly AgentMiddleware[],
  TSubagents extends readonly AnySubAgent[],
> = InferMiddlewareStates<TMiddleware> & InferSubAgentMiddlewareStates<TSubagents>;

/** The subagents of an agent. */
export type InferDeepAgentSubagents<T> = InferDeepAgentType<T, "Subagents">;

/** The subagent of a name. */
export type InferSubagentByName<T, TName extends string> =
  InferDeepAgentSubagents<T> extends readonly (infer SA)[]
    ? SA extends { name: TName }
      ? SA
      : never
    : never;

/** The agent that a subagent is. */
export type InferSubagentReactAgentType<TSubagent extends SubAgent | CompiledSubAgent> =
  TSubagent extends CompiledSubAgent
    ? TSubagent["runnable"]
    : TSubagent extends SubAgent
      ? ReactAgent<
          AgentTypeConfig<
            ResponseFormatUndefined,
            undefined,
            AnnotationRoot<any>,
            ExtractSubAgentMiddleware<TSubagent>,
            readonly []
          >
        >
      : never;
