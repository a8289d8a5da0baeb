import type { SystemMessage } from "@langchain/core/messages";
import type { AgentMiddleware } from "langchain";
import type { LooseParams } from "../params.js";
import { DEFAULT_PROMPTS, partOf } from "../prompt/sections.js";
import { type Shared, stackFor } from "../stack.js";
import { mergingFields } from "./boundary.js";
import { compiledSubAgent, readySubAgent } from "./compile.js";
import { generalPurposeOf } from "./general-purpose.js";
import { taskMiddleware } from "./middleware.js";
import type { ReadySubAgent } from "./run.js";
import { type AnySubAgent, GENERAL_PURPOSE_SUBAGENT, isCompiled, type SubAgent } from "./types.js";

/**
 * The middleware with an agent's subagents: general-purpose first, unless it is switched off or one of the app has its name.
 * `undefined` when there is none.
 */
export function subAgentsOf(
  params: LooseParams,
  model: unknown,
  prompt: string | SystemMessage | undefined,
  shared: Shared,
): AgentMiddleware | undefined {
  const general = generalPurposeOf(params);
  const all: AnySubAgent[] = [...(general ? [general] : []), ...(params.subagents ?? [])];
  if (all.length === 0) return undefined;
  const ready = all.map((subagent) =>
    isCompiled(subagent)
      ? compiledSubAgent(subagent)
      : built(subagent, params, model, prompt, shared),
  );
  const schemas = (params.middleware ?? []).map(({ stateSchema }) => stateSchema as unknown);
  return taskMiddleware({
    ready,
    fields: mergingFields([params.stateSchema, ...schemas]),
    prompt: partOf(shared.prompts.subagents, DEFAULT_PROMPTS.subagents),
    taskDescription: params.taskDescription,
    report: shared.report,
  });
}

function built(
  subagent: SubAgent,
  params: LooseParams,
  agentModel: unknown,
  prompt: string | SystemMessage | undefined,
  shared: Shared,
): ReadySubAgent {
  const fork = subagent.mode === "fork";
  const general = subagent.name === GENERAL_PURPOSE_SUBAGENT.name;
  const model = subagent.model ?? agentModel;
  const tools = subagent.tools ?? params.tools ?? [];
  const parents = params.middleware ?? [];
  const own = subagent.middleware ?? [];
  const middleware = stackFor(
    {
      name: subagent.name,
      model,
      tools,
      todos: false,
      memory: fork ? (params.memory ?? []) : [],
      skills: (fork ? params.skills : subagent.skills) ?? [],
      permissions: subagent.permissions ?? params.permissions ?? [],
      interruptOn: subagent.interruptOn ?? params.interruptOn ?? {},
      own: fork ? [...parents.filter((one) => !named(own, one.name)), ...own] : own,
      subagents: undefined,
    },
    shared,
  );
  return readySubAgent({
    spec: subagent,
    model,
    tools,
    systemPrompt: subagent.systemPrompt ?? "",
    inherited: fork ? (prompt ?? "") : "",
    // What replaces a built-in for the agent replaces it for its double as well.
    middleware: general ? middleware.map((one) => named(parents, one.name) ?? one) : middleware,
  });
}

function named(list: readonly AgentMiddleware[], name: string): AgentMiddleware | undefined {
  return list.find((one) => one.name === name);
}
