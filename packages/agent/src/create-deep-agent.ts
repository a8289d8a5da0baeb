import type { ClientTool, ServerTool } from "@langchain/core/tools";
import type { InteropZodObject } from "@langchain/core/utils/types";
import type { AnyStateSchema, StreamTransformer } from "@langchain/langgraph";
import type { AgentMiddleware } from "langchain";
import { assembled } from "./assembled.js";
import type { CreateDeepAgentParams, LooseParams } from "./params.js";
import type { AnySubAgent } from "./subagents/types.js";
import type { CreatedDeepAgent } from "./types/agent.js";
import type { SupportedResponseFormat } from "./types/infer.js";

/**
 * Builds an agent that plans, works on files, delegates to subagents, keeps its context small, asks humans, knows skills and
 * remembers. A LangGraph agent like those of `createAgent`: `invoke`, `stream`, `streamEvents`, `getState` and the rest.
 *
 * Does no input or output and loads no model. Throws a ConfigurationError that names the option for what could not work.
 *
 * @example
 * const agent = createDeepAgent({ model: "anthropic:claude-sonnet-4-6", checkpointer: new MemorySaver() });
 * const { messages, files } = await agent.invoke({ messages: [{ role: "user", content: "Write a plan." }] }, config);
 */
export function createDeepAgent<
  TResponse extends SupportedResponseFormat = SupportedResponseFormat,
  ContextSchema extends InteropZodObject = InteropZodObject,
  const TMiddleware extends readonly AgentMiddleware[] = readonly [],
  const TSubagents extends readonly AnySubAgent[] = readonly [],
  const TTools extends readonly (ClientTool | ServerTool)[] = readonly [],
  // oxlint-disable-next-line typescript/no-explicit-any -- any projection
  const TStreamTransformers extends ReadonlyArray<() => StreamTransformer<any>> = readonly [],
  TStateSchema extends AnyStateSchema | InteropZodObject | undefined = undefined,
  const TSkills extends readonly string[] | undefined = undefined,
>(
  params: CreateDeepAgentParams<
    TResponse,
    ContextSchema,
    TMiddleware,
    TSubagents,
    TTools,
    TStreamTransformers,
    TStateSchema,
    TSkills
  > = {},
): CreatedDeepAgent<
  TResponse,
  ContextSchema,
  TMiddleware,
  TSubagents,
  TTools,
  TStreamTransformers,
  TStateSchema,
  TSkills
> {
  return assembled(params as LooseParams) as never;
}
