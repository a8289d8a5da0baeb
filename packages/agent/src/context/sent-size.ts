import type { TokenCounter } from "@fs/middleware";
import type { BaseMessage } from "@langchain/core/messages";
import { shortenArguments } from "./shorten-arguments.js";
import { sizeOf } from "./size.js";
import type { SummaryState } from "./summary-state.js";

/** The tokens of what is sent, with long arguments shortened as the summary says. */
export function measured(
  sent: readonly BaseMessage[],
  summary: SummaryState | undefined,
  overhead: number,
  count: TokenCounter,
  longest: number,
): number {
  const last = summary?.at === undefined ? -1 : sent.findIndex(({ id }) => id === summary.at);
  return sizeOf(shortenArguments(sent, summary?.shortenedTo, longest), last + 1, overhead, count);
}

/** The tokens that go when arguments are shortened up to `after` instead of `before`: ids of messages. */
export function savedBy(
  sent: readonly BaseMessage[],
  before: string | undefined,
  after: string | undefined,
  count: TokenCounter,
  longest: number,
): number {
  const tokens = (upTo: string | undefined): number =>
    sizeOf(shortenArguments(sent, upTo, longest), sent.length, 0, count);
  return tokens(before) - tokens(after);
}
