import type { SystemMessage } from "@langchain/core/messages";
import { type AgentMiddleware, createAgent } from "langchain";
import { isRecord } from "../messages/record.js";
import { joinParts } from "../prompt/assemble.js";
import { type MergingFields, mergingFields } from "./boundary.js";
import type { ReadySubAgent } from "./run.js";
import type { CompiledSubAgent, SubAgent } from "./types.js";

/** What a subagent is built from, with everything that it inherits. */
export interface SubAgentParts {
  readonly spec: SubAgent;
  readonly model: unknown;
  readonly tools: readonly unknown[];
  readonly systemPrompt: string | SystemMessage;
  /** The parent's prompt, for a fork. */
  readonly inherited: string | SystemMessage;
  readonly middleware: readonly AgentMiddleware[];
}

/** A subagent built as an agent of its own. */
export function readySubAgent(parts: SubAgentParts): ReadySubAgent {
  const { spec, middleware } = parts;
  const { name, description, responseFormat } = spec;
  const params = {
    name,
    model: parts.model,
    systemPrompt: joinParts([parts.inherited, parts.systemPrompt]) ?? "",
    tools: [...parts.tools],
    middleware: [...middleware],
    ...(responseFormat === undefined ? {} : { responseFormat }),
  };
  const runnable = createAgent(params as Parameters<typeof createAgent>[0]);
  const fields = mergingFields(middleware.map(({ stateSchema }) => stateSchema as unknown));
  return { name, description, fork: spec.mode === "fork", runnable, fields };
}

/** A subagent that exists already. */
export function compiledSubAgent(subagent: CompiledSubAgent): ReadySubAgent {
  const { name, description, runnable } = subagent;
  return {
    name,
    description,
    fork: subagent.mode === "fork",
    runnable: runnable as ReadySubAgent["runnable"],
    fields: fieldsOfRunnable(runnable),
  };
}

/** The merging fields of an agent's middleware. Of other runnables nothing is known, and only messages go in. */
function fieldsOfRunnable(runnable: unknown): MergingFields | undefined {
  const options: unknown =
    typeof runnable === "object" && runnable !== null
      ? Reflect.get(runnable, "options")
      : undefined;
  if (!isRecord(options)) return undefined;
  const { middleware, stateSchema } = options;
  const schemas = Array.isArray(middleware)
    ? middleware.map((one: unknown) => (isRecord(one) ? one["stateSchema"] : undefined))
    : [];
  return mergingFields([stateSchema, ...schemas]);
}
