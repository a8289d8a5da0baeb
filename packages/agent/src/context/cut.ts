import type { TokenCounter } from "@fs/middleware";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { Limits } from "./options.js";
import { tokensOfMessage } from "./size.js";
import { groupsOf } from "./summary-state.js";

/**
 * The messages that a summary may stand for: all before the last few that are kept, calls never parted from their results,
 * without the last message of the human. Empty when nothing can go.
 */
export function cuttable(
  messages: readonly BaseMessage[],
  { keepTokens, keepMessages }: Limits,
  count: TokenCounter,
): BaseMessage[] {
  const groups = groupsOf(messages);
  let [tokens, kept, from] = [0, 0, groups.length];
  while (from > 0) {
    const group = groups[from - 1] ?? [];
    const more = group.reduce((sum, message) => sum + tokensOfMessage(message, count), 0);
    const fits = tokens + more <= keepTokens && kept + group.length <= keepMessages;
    // The last group stays whatever its size: the model must have something to answer to.
    if (!fits && from < groups.length) break;
    from -= 1;
    tokens += more;
    kept += group.length;
  }
  const lastHuman = messages.findLast((message) => HumanMessage.isInstance(message));
  return groups
    .slice(0, from)
    .filter((group) => lastHuman === undefined || !group.includes(lastHuman))
    .flat();
}
