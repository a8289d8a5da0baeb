import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { isRecord } from "../messages/record.js";

/** What a subagent reports: its structured response as JSON, else the last text it wrote. */
export function reportOf(result: unknown): string {
  const state = isRecord(result) ? result : {};
  const structured = state["structuredResponse"];
  if (structured !== undefined && structured !== null) return JSON.stringify(structured);
  const messages: unknown = state["messages"];
  for (const message of Array.isArray(messages) ? (messages as unknown[]).toReversed() : []) {
    const text = AIMessage.isInstance(message as BaseMessage)
      ? (message as AIMessage).text.trim()
      : "";
    if (text !== "") return text;
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
