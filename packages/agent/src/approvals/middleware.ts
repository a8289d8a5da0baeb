import { ConfigurationError } from "@fs/protocol";
import type { BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import {
  type AgentMiddleware,
  type BuiltInState,
  createMiddleware,
  type InterruptOnConfig,
  type Runtime,
} from "langchain";
import { checkApprovalOptions } from "../check/middleware-options.js";
import { lastTurn } from "../messages/calls.js";
import { withPart } from "../prompt/assemble.js";
import { DEFAULT_PROMPTS, partOf } from "../prompt/sections.js";
import { applyDecisions, problemWith } from "./decisions.js";
import { ask, type QuestionedCall, requestFor } from "./question.js";

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
  checkApprovalOptions(options);
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
    const pending: QuestionedCall[] = [];
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

function hasCheckpointer(configurable: unknown): boolean {
  return (
    typeof configurable === "object" &&
    configurable !== null &&
    Boolean(Reflect.get(configurable, "__pregel_checkpointer"))
  );
}
