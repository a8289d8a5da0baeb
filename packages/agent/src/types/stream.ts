/* oxlint-disable typescript/no-explicit-any -- inference over every type configuration */
import type { ClientTool, ServerTool } from "@langchain/core/tools";
import type { StreamTransformer } from "@langchain/langgraph";
import type { FsToolName } from "@fs/middleware";
import type { AgentRunStream, ReactAgent, SubagentRunStream } from "langchain";
import type { AnySubAgent, CompiledSubAgent } from "../subagents/types.js";
import type { NamedTool } from "./infer.js";

type Tools = readonly (ClientTool | ServerTool)[];

type OutputOf<T extends AnySubAgent> =
  T extends CompiledSubAgent<infer R>
    ? R extends ReactAgent<infer Types>
      ? Awaited<ReturnType<ReactAgent<Types>["invoke"]>>
      : unknown
    : unknown;

type ToolsOf<T extends AnySubAgent> =
  T extends CompiledSubAgent<infer R>
    ? R extends ReactAgent<infer Types>
      ? Types["Tools"]
      : Tools
    : Tools;

type NamedRunStream<T extends AnySubAgent> = T extends { name: infer N extends string }
  ? SubagentRunStream<OutputOf<T>, ToolsOf<T>> & { readonly name: N }
  : SubagentRunStream;

type RunStreamUnion<TSubagents extends readonly AnySubAgent[]> = {
  [K in keyof TSubagents]: NamedRunStream<TSubagents[K]>;
}[number];

/** The stream of a run whose `subagents` are those that were declared. */
export type DeepAgentRunStream<
  TValues = Record<string, unknown>,
  TTools extends Tools = Tools,
  TSubagents extends readonly AnySubAgent[] = readonly AnySubAgent[],
  TExtensions extends Record<string, unknown> = Record<string, unknown>,
> = Omit<AgentRunStream<TValues, TTools, TExtensions>, "subagents"> & {
  subagents: AsyncIterable<RunStreamUnion<TSubagents>>;
};

/** What the transformers of an app add to the stream. */
export type StreamExtensions<T extends ReadonlyArray<() => StreamTransformer<any>>> =
  T extends readonly []
    ? Record<string, never>
    : T extends readonly [
          () => StreamTransformer<infer P>,
          ...infer Rest extends ReadonlyArray<() => StreamTransformer<any>>,
        ]
      ? P & StreamExtensions<Rest>
      : Record<string, unknown>;

type BuiltInName = FsToolName | "task" | "write_todos";

/** The tools that every agent has, by name. */
export type BuiltInTools = { [K in BuiltInName]: NamedTool<K> }[BuiltInName][];
