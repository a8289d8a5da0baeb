import { type AIMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { Decision, HITLResponse } from "langchain";
import { isRecord } from "../messages/record.js";
import { rewriteCalls } from "../messages/rewrite-calls.js";

/** A call that waits for a human, and what the human may answer. */
export interface PendingCall {
  readonly call: ToolCall;
  readonly allowed: readonly string[];
}

/** What is wrong with an answer, as a sentence; `undefined` when every decision fits its call. */
export function problemWith(
  answer: unknown,
  pending: readonly PendingCall[],
  mayRun: (name: string, edited: ToolCall) => boolean,
): string | undefined {
  const decisions = isRecord(answer) ? answer["decisions"] : undefined;
  if (!Array.isArray(decisions))
    return `The answer must be { decisions: [...] } with ${pending.length} decisions, one for each call in order.`;
  if (decisions.length !== pending.length)
    return `${decisions.length} decisions were given for ${pending.length} calls; one is needed for each, in order.`;
  for (const [at, { call, allowed }] of pending.entries()) {
    const problem = problemOf(decisions[at] as unknown, call, allowed, mayRun);
    if (problem !== undefined) return `Decision ${at + 1}, about '${call.name}': ${problem}`;
  }
  return undefined;
}

function problemOf(
  decision: unknown,
  call: ToolCall,
  allowed: readonly string[],
  mayRun: (name: string, edited: ToolCall) => boolean,
): string | undefined {
  const type = isRecord(decision) ? decision["type"] : undefined;
  if (!isRecord(decision) || typeof type !== "string" || !allowed.includes(type))
    return `it must be one of ${allowed.join(", ")}, not ${JSON.stringify(type)}.`;
  if (type === "reject") {
    const { message } = decision;
    return message === undefined || typeof message === "string"
      ? undefined
      : "'message' must be a text.";
  }
  if (type !== "edit") return undefined;
  const { editedAction: action } = decision;
  if (!isRecord(action) || typeof action["name"] !== "string" || !isRecord(action["args"]))
    return "'editedAction' must be { name, args }.";
  return mayRun(action["name"], call)
    ? undefined
    : `the edited call names '${action["name"]}', which this agent may not call.`;
}

/** What the decisions make of the model's message: its edited form if any call was edited, and an answer for each rejected call. */
export function applyDecisions(
  message: AIMessage,
  pending: readonly PendingCall[],
  { decisions }: HITLResponse,
): { readonly edited: AIMessage | undefined; readonly rejections: readonly ToolMessage[] } {
  const byCall = new Map<ToolCall, Decision>();
  for (const [at, { call }] of pending.entries()) {
    const decision = decisions[at];
    if (decision !== undefined) byCall.set(call, decision);
  }
  const edited = rewriteCalls(message, (call) => {
    const decision = byCall.get(call);
    return decision?.type === "edit" ? decision.editedAction : undefined;
  });
  const rejections = [...byCall].flatMap(([call, decision]) =>
    decision.type === "reject" ? [rejection(call, decision.message)] : [],
  );
  return { edited: edited === message ? undefined : edited, rejections };
}

function rejection({ name, id }: ToolCall, words: string | undefined): ToolMessage {
  return new ToolMessage({
    content: words ?? `User rejected the tool call for \`${name}\` with id ${id}`,
    name,
    tool_call_id: id ?? "",
    status: "error",
  });
}
