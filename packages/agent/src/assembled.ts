import { createAgent } from "langchain";
import { checkParams } from "./check/params.js";
import { withLeanInput } from "./files/lean-input.js";
import { withoutApproval, withSharedStaging } from "./files/staging.js";
import type { LooseParams } from "./params.js";
import { systemPromptOf } from "./prompt/system-prompt.js";
import { type Shared, stackFor } from "./stack.js";
import { subAgentsOf } from "./subagents/family.js";
import { reporter } from "./types/report.js";

/** The model of an agent that names none. */
const DEFAULT_MODEL = "anthropic:claude-sonnet-4-6";

/** The agent of checked options, without its types. */
export function assembled(params: LooseParams): unknown {
  checkParams(params);
  const { model = DEFAULT_MODEL, tools = [], prompts = {}, name } = params;
  const shared: Shared = {
    backend: params.backend,
    filesystem: withSharedStaging(params.filesystem ?? {}),
    summarization: params.summarization ?? {},
    prompts,
    report: reporter(params.onError),
  };
  const systemPrompt = systemPromptOf(params.systemPrompt, prompts);
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

function given(options: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined && value !== null),
  );
}
