import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { isUnreadable, withReadableCalls } from "./unreadable-calls.js";

/** The messages with every call answered once, right after it. The same array when nothing was wrong. */
export function answeredCalls(messages: BaseMessage[]): BaseMessage[] {
  const answers = answersById(messages);
  const sent: BaseMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (ToolMessage.isInstance(message)) continue;
    if (!AIMessage.isInstance(message)) {
      sent.push(message);
      continue;
    }
    const readable = withReadableCalls(message);
    sent.push(readable);
    for (const call of readable.tool_calls ?? []) {
      if (isUnreadable(message, call.id)) sent.push(notRun(call.name, call.id, UNREADABLE));
      else sent.push(takeAnswer(answers, call.id, index) ?? notRun(call.name, call.id, UNKNOWN));
    }
  }
  const same =
    sent.length === messages.length && sent.every((message, at) => message === messages[at]);
  return same ? messages : sent;
}

const UNKNOWN =
  "has no result: the run ended before it was finished. It may or may not have taken effect.";
const UNREADABLE =
  "was not run: its arguments were not whole JSON, perhaps because the reply reached its limit. Call it again, with less in one call.";

type Answers = Map<string | undefined, { readonly at: number; readonly message: ToolMessage }[]>;

function answersById(messages: readonly BaseMessage[]): Answers {
  const answers: Answers = new Map();
  for (const [at, message] of messages.entries()) {
    if (!ToolMessage.isInstance(message)) continue;
    const known = answers.get(message.tool_call_id);
    if (known === undefined) answers.set(message.tool_call_id, [{ at, message }]);
    else known.push({ at, message });
  }
  return answers;
}

/** The first answer after the call that no earlier call has taken. */
function takeAnswer(
  answers: Answers,
  id: string | undefined,
  callAt: number,
): ToolMessage | undefined {
  const known = answers.get(id) ?? [];
  const next = known.findIndex(({ at }) => at > callAt);
  return next === -1 ? undefined : known.splice(next, 1)[0]?.message;
}

function notRun(name: string, id: string | undefined, why: string): ToolMessage {
  return new ToolMessage({
    content: `The call of '${name}' ${why}`,
    tool_call_id: id ?? "",
    name,
    status: "error",
  });
}
