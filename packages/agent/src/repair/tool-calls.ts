import { randomUUID } from "node:crypto";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { answeredCalls } from "./answered-calls.js";

/**
 * Middleware that shows the model every tool call with exactly one answer, right after it. A call that was never answered,
 * because a run was killed or another message came first, says that it was not run; an answer without a call, or a second
 * one, is not sent. A call whose arguments are not JSON, because the reply was cut off, was not run, and its answer says so. The state
 * keeps what happened.
 *
 * Ids that the model leaves out, or uses again, are replaced when its message arrives: LangGraph would take an old answer
 * for the new call's and not run it.
 */
export function createPatchToolCallsMiddleware(): AgentMiddleware {
  return createMiddleware({
    name: "patchToolCallsMiddleware",
    wrapModelCall: async (request, handler) => {
      const reply = await handler({ ...request, messages: answeredCalls(request.messages) });
      return AIMessage.isInstance(reply) ? withOwnIds(reply, request.state.messages) : reply;
    },
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
    ...(reply.invalid_tool_calls === undefined
      ? {}
      : { invalid_tool_calls: reply.invalid_tool_calls }),
    ...(reply.usage_metadata === undefined ? {} : { usage_metadata: reply.usage_metadata }),
    ...(reply.id === undefined ? {} : { id: reply.id }),
    ...(reply.name === undefined ? {} : { name: reply.name }),
  });
}
