import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";

/** The last message of the model, and what follows it. */
export function lastTurn(messages: readonly BaseMessage[]): {
  message: AIMessage | undefined;
  answered: ReadonlySet<string>;
} {
  const answered = new Set<string>();
  for (const message of messages.toReversed()) {
    if (AIMessage.isInstance(message)) return { message, answered };
    if (ToolMessage.isInstance(message)) answered.add(message.tool_call_id);
  }
  return { message: undefined, answered };
}

/** The ids of the calls that were answered, and not with an error: they did what they say. */
export function doneCalls(messages: readonly BaseMessage[]): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) =>
      ToolMessage.isInstance(message) && message.status !== "error" ? [message.tool_call_id] : [],
    ),
  );
}
