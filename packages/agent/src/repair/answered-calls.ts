import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { unreadableCalls, withReadableCalls } from "./unreadable-calls.js";

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
    sent.push(withReadableCalls(message));
    for (const { name, id } of message.tool_calls ?? [])
      sent.push(takeAnswer(answers, id, index) ?? notRun(name, id, UNKNOWN));
    for (const { name, id } of unreadableCalls(message)) sent.push(notRun(name, id, UNREADABLE));
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
