import { randomUUID } from "node:crypto";
import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { type AgentMiddleware, createMiddleware } from "langchain";

/**
 * Middleware that shows the model every tool call with exactly one answer, right after it. A call that was never answered,
 * because a run was killed or another message came first, says that it was not run; an answer without a call, or a second
 * one, is not sent. The state keeps what happened.
 *
 * Ids that the model leaves out, or uses again, are replaced when its message arrives: LangGraph would take an old answer
 * for the new call's and not run it.
 */
export function createPatchToolCallsMiddleware(): AgentMiddleware {
  return createMiddleware({
    name: "patchToolCallsMiddleware",
    wrapModelCall: async (request, handler) => {
      const reply = await handler({ ...request, messages: repaired(request.messages) });
      return AIMessage.isInstance(reply) ? withOwnIds(reply, request.state.messages) : reply;
    },
  });
}

/** The messages with every call answered once. The same array when nothing was wrong. */
function repaired(messages: BaseMessage[]): BaseMessage[] {
  const sent: BaseMessage[] = [];
  const used = new Set<BaseMessage>();
  for (const [index, message] of messages.entries()) {
    if (ToolMessage.isInstance(message)) continue;
    sent.push(message);
    if (!AIMessage.isInstance(message)) continue;
    for (const call of message.tool_calls ?? []) {
      const answer = messages.find(
        (other, at) =>
          at > index &&
          !used.has(other) &&
          ToolMessage.isInstance(other) &&
          other.tool_call_id === call.id,
      );
      if (answer !== undefined) used.add(answer);
      sent.push(answer ?? notRun(call.name, call.id));
    }
  }
  const same =
    sent.length === messages.length && sent.every((message, at) => message === messages[at]);
  return same ? messages : sent;
}

function notRun(name: string, id: string | undefined): ToolMessage {
  return new ToolMessage({
    content: `The call of '${name}' has no result: the run ended before it was finished. It may or may not have taken effect.`,
    tool_call_id: id ?? "",
    name,
    status: "error",
  });
}

function withOwnIds(reply: AIMessage, earlier: readonly BaseMessage[]): AIMessage {
  const calls = reply.tool_calls ?? [];
  const ids = calls.map(({ id }) => id);
  const taken = new Set(
    earlier.flatMap((message) =>
      AIMessage.isInstance(message) && message.id !== reply.id
        ? (message.tool_calls ?? []).map(({ id }) => id)
        : [],
    ),
  );
  const isOwn = (id: string | undefined, at: number): boolean =>
    id !== undefined && id !== "" && !taken.has(id) && ids.indexOf(id) === at;
  if (ids.every(isOwn)) return reply;
  // Content blocks would name the old ids, which no provider matches by position; the standard calls are enough for all.
  const content = typeof reply.content === "string" ? reply.content : reply.text;
  return new AIMessage({
    content,
    tool_calls: calls.map((call, at) =>
      isOwn(call.id, at) ? call : { ...call, id: `call_${randomUUID()}` },
    ),
    response_metadata: reply.response_metadata,
    ...(reply.usage_metadata === undefined ? {} : { usage_metadata: reply.usage_metadata }),
    ...(reply.id === undefined ? {} : { id: reply.id }),
    ...(reply.name === undefined ? {} : { name: reply.name }),
  });
}
