import { ConfigurationError } from "@fs/protocol";
import type { BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { interrupt, isInvalidResume } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  type BuiltInState,
  createMiddleware,
  type HITLRequest,
  type HITLResponse,
  type InterruptOnConfig,
  type Runtime,
} from "langchain";
import { z } from "zod";
import { lastTurn } from "../messages/calls.js";
import { withPart } from "../prompt/assemble.js";
import { DEFAULT_PROMPTS, partOf } from "../prompt/sections.js";
import { applyDecisions, type PendingCall, problemWith } from "./decisions.js";

/** Which calls wait for a human: by tool, `true` for all decisions, `false` for none, or LangChain's own options. */
export type InterruptOn = Record<string, boolean | InterruptOnConfig>;

/** Options of {@link createApprovalMiddleware}. */
export interface ApprovalMiddlewareOptions {
  interruptOn: InterruptOn;
  /** What the description of a call begins with unless its tool has one of its own. */
  descriptionPrefix?: string;
  /** The tools of the agent: an edit may only name one of them. Without it, an edit keeps the tool of its call. */
  toolNames?: readonly string[];
  /** What the model is told; `false`: nothing. */
  prompt?: string | false;
}

const EVERY_DECISION = ["approve", "edit", "reject"] as const;

/**
 * Middleware that asks a human before certain tool calls run, with LangChain's requests and answers. All calls of a turn that
 * wait are one question, in their order; each decision is about its own call, and those that nobody asked about run as well.
 * An answer that does not fit is refused with a sentence: nothing has run, and the question is still open.
 */
export function createApprovalMiddleware(options: ApprovalMiddlewareOptions): AgentMiddleware {
  const rules = new Map(Object.entries(options.interruptOn).flatMap(ruleOf));
  const part = rules.size === 0 ? "" : partOf(options.prompt, DEFAULT_PROMPTS.approvals);
  const mayRun = (name: string, { name: own }: ToolCall): boolean => {
    if (name === own) return true;
    const rule = rules.get(name);
    const allowed = rule === undefined || rule.allowedDecisions.includes("approve");
    return allowed && (options.toolNames?.includes(name) ?? false);
  };
  return createMiddleware({
    name: "HumanInTheLoopMiddleware",
    wrapModelCall: (request, handler) => {
      // Asking would fail only after the model has answered.
      if (rules.size > 0 && !hasCheckpointer(request.runtime.configurable))
        throw new ConfigurationError(
          "'interruptOn' needs a checkpointer to keep the run that waits.",
        );
      return handler({ ...request, systemMessage: withPart(request.systemMessage, part) });
    },
    ...(rules.size === 0
      ? {}
      : {
          afterModel: {
            canJumpTo: ["model"] as const,
            hook: (state, runtime) => review(state, runtime),
          },
        }),
  });

  async function review(state: BuiltInState, runtime: Runtime) {
    const { message, answered } = lastTurn(state.messages);
    const pending: Array<PendingCall & { readonly rule: InterruptOnConfig }> = [];
    for (const call of message?.tool_calls ?? []) {
      const rule = rules.get(call.name);
      if (rule === undefined || answered.has(call.id ?? "")) continue;
      const asks =
        rule.when === undefined ||
        (await rule.when({ toolCall: call, tool: undefined, state, runtime }));
      if (asks) pending.push({ call, allowed: rule.allowedDecisions, rule });
    }
    if (message === undefined || pending.length === 0) return undefined;
    const request = await requestFor(pending, state, runtime, options.descriptionPrefix);
    const response = ask(request, (answer) => problemWith(answer, pending, mayRun));
    const { edited, rejections } = applyDecisions(message, pending, response);
    const messages: BaseMessage[] = [...(edited === undefined ? [] : [edited]), ...rejections];
    if (messages.length === 0) return undefined;
    const open = (message.tool_calls?.length ?? 0) - answered.size - rejections.length;
    // With calls left, the graph runs exactly those without an answer; without any it would end instead of asking the model.
    return { messages, ...(open <= 0 ? { jumpTo: "model" as const } : {}) };
  }
}

function ruleOf([name, rule]: [string, boolean | InterruptOnConfig]): Array<
  [string, InterruptOnConfig]
> {
  if (rule === false) return [];
  return [[name, rule === true ? { allowedDecisions: [...EVERY_DECISION] } : rule]];
}

async function requestFor(
  pending: ReadonlyArray<PendingCall & { readonly rule: InterruptOnConfig }>,
  state: BuiltInState,
  runtime: Runtime,
  prefix = "Tool execution requires approval",
): Promise<HITLRequest> {
  const actionRequests = await Promise.all(
    pending.map(async ({ call, rule: { description } }) => ({
      name: call.name,
      args: call.args,
      description:
        typeof description === "function"
          ? await description(call, state, runtime)
          : (description ??
            `${prefix}\n\nTool: ${call.name}\nArgs: ${JSON.stringify(call.args, null, 2)}`),
    })),
  );
  const reviewConfigs = pending.map(({ call, rule }) => ({
    actionName: call.name,
    allowedDecisions: rule.allowedDecisions,
    ...(rule.argsSchema === undefined ? {} : { argsSchema: rule.argsSchema }),
  }));
  return { actionRequests, reviewConfigs };
}

/** Pauses for the answer. LangGraph keeps the question open when the schema of the answer refuses what was given. */
function ask(request: HITLRequest, problem: (answer: unknown) => string | undefined): HITLResponse {
  const found: string[] = [];
  const responseSchema = z.unknown().superRefine((answer, context) => {
    const message = problem(answer);
    if (message === undefined) return;
    found.push(message);
    context.addIssue({ code: "custom", message });
  });
  try {
    return interrupt<HITLRequest>(request, { responseSchema }) as HITLResponse;
  } catch (error) {
    // The same error object, because LangGraph has marked it; its own words are a list of issues as JSON.
    if (isInvalidResume(error)) Object.assign(error as Error, { message: found.join(" ") });
    throw error;
  }
}

function hasCheckpointer(configurable: unknown): boolean {
  return (
    typeof configurable === "object" &&
    configurable !== null &&
    Boolean(Reflect.get(configurable, "__pregel_checkpointer"))
  );
}
