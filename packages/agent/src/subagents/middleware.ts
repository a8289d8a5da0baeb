import type { LanguageModelLike } from "@langchain/core/language_models/base";
import type { SystemMessage } from "@langchain/core/messages";
import type { StructuredTool } from "@langchain/core/tools";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { createApprovalMiddleware, type InterruptOn } from "../approvals/middleware.js";
import { checkSubAgentOptions } from "../check/middleware-options.js";
import { mergeMiddleware } from "../merge-middleware.js";
import { withPart } from "../prompt/assemble.js";
import { type OnError, reporter } from "../types/report.js";
import type { MergingFields } from "./boundary.js";
import { compiledSubAgent, readySubAgent } from "./compile.js";
import type { ReadySubAgent } from "./run.js";
import { createTaskTool } from "./task-tool.js";
import { type AnySubAgent, GENERAL_PURPOSE_SUBAGENT, isCompiled, type SubAgent } from "./types.js";

/** Options of {@link createSubAgentMiddleware}. */
export interface SubAgentMiddlewareOptions {
  /** The model of subagents that name none. */
  defaultModel: LanguageModelLike | string;
  /** The tools of subagents that name none. */
  defaultTools?: StructuredTool[];
  /** Middleware of every subagent, before its own. */
  defaultMiddleware?: AgentMiddleware[] | null;
  /** Middleware of general-purpose, instead of the default. */
  generalPurposeMiddleware?: AgentMiddleware[] | null;
  /** Approvals of subagents that name none. */
  defaultInterruptOn?: InterruptOn | null;
  subagents?: readonly AnySubAgent[];
  /** A part for the system prompt. */
  systemPrompt?: string | null;
  /** Whether there is a general-purpose subagent. Default `true`. */
  generalPurposeAgent?: boolean;
  /** Replaces the description of `task`. */
  taskDescription?: string | null;
  /** The prompt that forks inherit. */
  parentSystemPrompt?: string | SystemMessage | null;
  /** Called with what ended a subagent. */
  onError?: OnError;
}

/** Middleware with the `task` tool, which runs subagents on the caller's files. */
export function createSubAgentMiddleware(options: SubAgentMiddlewareOptions): AgentMiddleware {
  checkSubAgentOptions(options);
  const { subagents = [], generalPurposeAgent = true } = options;
  const general: SubAgent = { ...GENERAL_PURPOSE_SUBAGENT };
  const own = subagents.some(({ name }) => name === general.name);
  const all: AnySubAgent[] = generalPurposeAgent && !own ? [general, ...subagents] : [...subagents];
  const ready = all.map((subagent) =>
    isCompiled(subagent) ? compiledSubAgent(subagent) : built(subagent, options),
  );
  const fields = new Map(ready.flatMap(({ fields: known }) => [...(known ?? [])]));
  return taskMiddleware({
    ready,
    fields,
    prompt: options.systemPrompt ?? "",
    taskDescription: options.taskDescription ?? undefined,
    report: reporter(options.onError),
  });
}

function built(subagent: SubAgent, options: SubAgentMiddlewareOptions): ReadySubAgent {
  const { defaultMiddleware, generalPurposeMiddleware } = options;
  const general = subagent.name === GENERAL_PURPOSE_SUBAGENT.name;
  const base = (general ? generalPurposeMiddleware : undefined) ?? defaultMiddleware ?? [];
  const interruptOn = subagent.interruptOn ?? options.defaultInterruptOn ?? {};
  const asking =
    Object.keys(interruptOn).length === 0 ? [] : [createApprovalMiddleware({ interruptOn })];
  return readySubAgent({
    spec: subagent,
    model: subagent.model ?? options.defaultModel,
    tools: subagent.tools ?? options.defaultTools ?? [],
    systemPrompt: subagent.systemPrompt ?? "",
    inherited: subagent.mode === "fork" ? (options.parentSystemPrompt ?? "") : "",
    middleware: mergeMiddleware([...base, "own", ...asking], subagent.middleware ?? []),
  });
}

/** The middleware around a `task` tool for subagents that are ready. */
export function taskMiddleware(options: {
  readonly ready: readonly ReadySubAgent[];
  readonly fields: MergingFields;
  readonly prompt: string;
  readonly taskDescription: string | undefined;
  readonly report: OnError;
}): AgentMiddleware {
  const { ready, fields, taskDescription, report } = options;
  return createMiddleware({
    name: "subAgentMiddleware",
    tools: [createTaskTool({ subagents: ready, fields, taskDescription, report })],
    wrapModelCall: (request, handler) =>
      handler({ ...request, systemMessage: withPart(request.systemMessage, options.prompt) }),
  });
}
