import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { isRecord } from "../messages/record.js";

/** What a subagent reports: its structured response as JSON, else the last text it wrote, which is none of what it was given. */
export function reportOf(result: unknown, given: readonly BaseMessage[]): string {
  const state = isRecord(result) ? result : {};
  const structured = state["structuredResponse"];
  if (structured !== undefined && structured !== null) return JSON.stringify(structured);
  const messages: unknown = state["messages"];
  // By id, because the state holds copies, and a resumed run was given its own earlier.
  const past = new Set<unknown>(given.flatMap((message) => [message, message.id ?? message]));
  for (const message of Array.isArray(messages) ? (messages as unknown[]).toReversed() : []) {
    if (!AIMessage.isInstance(message as BaseMessage)) continue;
    const { id, text } = message as AIMessage;
    if (!past.has(message) && !past.has(id) && text.trim() !== "") return text.trim();
  }
  return "The subagent finished without a report.";
}

/** The answer of `task`. */
export function answer(content: string, toolCallId: string, failed = false): ToolMessage {
  return new ToolMessage({
    content,
    name: "task",
    tool_call_id: toolCallId,
    status: failed ? "error" : "success",
  });
}
