import { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { isRecord } from "./record.js";

/** What a call becomes. */
export interface RewrittenCall {
  readonly name: string;
  readonly args: Record<string, unknown>;
}

/**
 * The message with some of its tool calls changed, everywhere a provider may take them from: `tool_calls`, content blocks of
 * Anthropic and of the standard, OpenAI's `additional_kwargs` and the output items that its Responses API is sent again.
 * Id, usage and everything else stay.
 */
export function rewriteCalls(
  message: AIMessage,
  rewrite: (call: ToolCall) => RewrittenCall | undefined,
): AIMessage {
  const changed = new Map<string, RewrittenCall>();
  const calls = (message.tool_calls ?? []).map((call) => {
    const next = rewrite(call);
    if (next === undefined) return call;
    if (call.id !== undefined) changed.set(call.id, next);
    return { ...call, ...next };
  });
  if (changed.size === 0) return message;
  const content = Array.isArray(message.content)
    ? message.content.map((block) => rewriteBlock(block, changed))
    : message.content;
  return new AIMessage({
    content: content as AIMessage["content"] & string,
    tool_calls: calls,
    additional_kwargs: rewriteKwargs(message.additional_kwargs, changed),
    response_metadata: rewriteOutput(message.response_metadata, changed),
    ...(message.invalid_tool_calls === undefined
      ? {}
      : { invalid_tool_calls: message.invalid_tool_calls }),
    ...(message.usage_metadata === undefined ? {} : { usage_metadata: message.usage_metadata }),
    ...(message.id === undefined ? {} : { id: message.id }),
    ...(message.name === undefined ? {} : { name: message.name }),
  });
}

type Changed = ReadonlyMap<string, RewrittenCall>;

function rewriteBlock(block: unknown, changed: Changed): unknown {
  if (!isRecord(block)) return block;
  const next = changed.get(String(block["id"]));
  if (next === undefined) return block;
  if (block["type"] === "tool_use") return { ...block, name: next.name, input: next.args };
  return block["type"] === "tool_call" ? { ...block, name: next.name, args: next.args } : block;
}

function rewriteKwargs<T extends Record<string, unknown>>(kwargs: T, changed: Changed): T {
  const calls: unknown = kwargs["tool_calls"];
  if (!Array.isArray(calls)) return kwargs;
  const rewritten = calls.map((call: unknown) => {
    const next = isRecord(call) ? changed.get(String(call["id"])) : undefined;
    if (next === undefined || !isRecord(call) || !isRecord(call["function"])) return call;
    const rest = call["function"];
    return {
      ...call,
      function: { ...rest, name: next.name, arguments: JSON.stringify(next.args) },
    };
  });
  return { ...kwargs, tool_calls: rewritten };
}

function rewriteOutput<T extends Record<string, unknown>>(metadata: T, changed: Changed): T {
  const output: unknown = metadata["output"];
  if (!Array.isArray(output)) return metadata;
  const rewritten = output.map((item: unknown) => {
    const next = isRecord(item) ? changed.get(String(item["call_id"])) : undefined;
    return next === undefined || !isRecord(item) || item["type"] !== "function_call"
      ? item
      : { ...item, name: next.name, arguments: JSON.stringify(next.args) };
  });
  return { ...metadata, output: rewritten };
}
