import { AIMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { isRecord } from "../messages/record.js";

/**
 * The message with its unreadable calls as calls without arguments. A provider is sent them all the same, from the content or
 * from `additional_kwargs`, and refuses a call that has no answer.
 */
export function withReadableCalls(message: AIMessage): AIMessage {
  const unreadable = unreadableCalls(message);
  if (unreadable.length === 0) return message;
  const ids = new Set(unreadable.map(({ id }) => id));
  const { tool_calls: _, ...kwargs } = message.additional_kwargs;
  const content = Array.isArray(message.content)
    ? message.content.filter((block: unknown) => !isCallOf(block, ids))
    : message.content;
  return new AIMessage({
    content: content as AIMessage["content"] & string,
    tool_calls: [...(message.tool_calls ?? []), ...unreadable],
    additional_kwargs: kwargs,
    response_metadata: message.response_metadata,
    ...(message.usage_metadata === undefined ? {} : { usage_metadata: message.usage_metadata }),
    ...(message.id === undefined ? {} : { id: message.id }),
    ...(message.name === undefined ? {} : { name: message.name }),
  });
}

/** The calls of a message whose arguments are not JSON, as of a reply that was cut off: without arguments, each with an id. */
export function unreadableCalls(message: AIMessage): ToolCall[] {
  return (message.invalid_tool_calls ?? []).map(({ id, name }, at) => ({
    type: "tool_call",
    id: id === undefined || id === "" ? `unreadable_${message.id ?? "call"}_${at}` : id,
    name: name === undefined || name === "" ? "unknown" : name,
    args: {},
  }));
}

function isCallOf(block: unknown, ids: ReadonlySet<string | undefined>): boolean {
  if (!isRecord(block)) return false;
  const type = block["type"];
  if (type !== "tool_use" && type !== "tool_call" && type !== "invalid_tool_call") return false;
  return ids.has(String(block["id"]));
}
