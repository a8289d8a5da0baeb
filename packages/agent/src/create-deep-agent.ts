import { SystemMessage } from "@langchain/core/messages";
import type { ClientTool, ServerTool } from "@langchain/core/tools";
import type { InteropZodObject } from "@langchain/core/utils/types";
import type { AnyStateSchema, StreamTransformer } from "@langchain/langgraph";
import { type AgentMiddleware, createAgent } from "langchain";
import { checkParams } from "./check/params.js";
import type { CreateDeepAgentParams, LooseParams } from "./params.js";
import { basePrompt, joinParts } from "./prompt/assemble.js";
import { DEFAULT_PROMPTS, partOf, type Prompts } from "./prompt/sections.js";
import { withLeanInput } from "./files/lean-input.js";
import { type Shared, stackFor } from "./stack.js";
import { withoutApproval, withSharedStaging } from "./files/staging.js";
import { subAgentsOf } from "./subagents/family.js";
import type { AnySubAgent } from "./subagents/types.js";
import type { CreatedDeepAgent } from "./types/agent.js";
import type { SupportedResponseFormat } from "./types/infer.js";
import { reporter } from "./types/report.js";

/** The model of an agent that names none. */
const DEFAULT_MODEL = "anthropic:claude-sonnet-4-6";

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

function assembled(params: LooseParams): unknown {
  checkParams(params);
  const { model = DEFAULT_MODEL, tools = [], prompts = {}, name } = params;
  const shared: Shared = {
    backend: params.backend,
    filesystem: withSharedStaging(params.filesystem ?? {}),
    summarization: params.summarization ?? {},
    prompts,
    report: reporter(params.onError),
  };
  const systemPrompt = promptOf(params.systemPrompt, prompts);
  const middleware = stackFor(
    {
      name,
      model,
      tools,
      todos: params.todos ?? true,
      memory: params.memory ?? [],
      skills: params.skills ?? [],
      permissions: params.permissions ?? [],
      interruptOn: params.interruptOn ?? {},
      own: params.middleware ?? [],
      subagents: subAgentsOf(params, model, systemPrompt, withoutApproval(shared)),
    },
    shared,
  );
  const { stateSchema, responseFormat, contextSchema, checkpointer, store } = params;
  const options: unknown = {
    ...given({
      systemPrompt,
      stateSchema,
      responseFormat,
      contextSchema,
      checkpointer,
      store,
      name,
    }),
    model,
    tools: [...tools],
    middleware,
    streamTransformers: [...(params.streamTransformers ?? [])],
  };
  const agent = createAgent(options as Parameters<typeof createAgent>[0]);
  return withLeanInput(
    agent.withConfig({
      // Long work must not end at LangGraph's default of 25 steps.
      recursionLimit: 10_000,
      // One plain answer must not be taken for the answer to several questions.
      configurable: { __pregel_strict_resume: true },
      metadata: { ls_integration: "fs", lc_agent_name: name },
    }),
  );
}

function promptOf(
  own: LooseParams["systemPrompt"],
  prompts: Prompts,
): string | SystemMessage | undefined {
  const base = partOf(prompts.base, DEFAULT_PROMPTS.base);
  if (own === undefined || typeof own === "string" || SystemMessage.isInstance(own))
    return basePrompt(own, base);
  return joinParts([own.prefix, own.base === undefined ? base : own.base, own.suffix]);
}

function given(options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined && value !== null),
  );
}
