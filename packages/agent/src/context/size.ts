import type { TokenCounter } from "@fs/middleware";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { isRecord } from "../messages/record.js";

/** Tokens of a block that is no text: what a picture of ordinary size costs. */
const MEDIA_TOKENS = 1500;
/** Tokens that any message costs beside its text. */
const PER_MESSAGE = 4;

const counted = new WeakMap<
  BaseMessage,
  { readonly count: TokenCounter; readonly tokens: number }
>();

/** The tokens of one message, arguments of calls included, without asking a provider. */
export function tokensOfMessage(message: BaseMessage, count: TokenCounter): number {
  const known = counted.get(message);
  if (known?.count === count) return known.tokens;
  let tokens = PER_MESSAGE;
  const { content } = message;
  if (typeof content === "string") tokens += count(content);
  else for (const block of content) tokens += tokensOfBlock(block, count);
  if (AIMessage.isInstance(message))
    for (const call of message.tool_calls ?? [])
      tokens += count(`${call.name}${JSON.stringify(call.args)}`);
  counted.set(message, { count, tokens });
  return tokens;
}

function tokensOfBlock(block: unknown, count: TokenCounter): number {
  if (!isRecord(block)) return 0;
  if (typeof block["text"] === "string") return count(block["text"]);
  // The same calls are in `tool_calls`, which are counted.
  if (block["type"] === "tool_use" || block["type"] === "tool_call") return 0;
  if (typeof block["thinking"] === "string") return count(block["thinking"]);
  return MEDIA_TOKENS;
}

/**
 * The tokens that a call with these messages takes: what the provider reported last, plus an estimate of what came after; or
 * an estimate of everything, with `overhead` for the prompt and the tools.
 *
 * @param since Index from which a report counts: an earlier one measured messages that are no longer sent.
 */
export function sizeOf(
  messages: readonly BaseMessage[],
  since: number,
  overhead: number,
  count: TokenCounter,
): number {
  for (let at = messages.length - 1; at >= since; at--) {
    const reported = reportedBy(messages[at]);
    if (reported > 0) return reported + sum(messages.slice(at + 1), count);
  }
  return overhead + sum(messages, count);
}

function reportedBy(message: BaseMessage | undefined): number {
  const usage: unknown = message === undefined ? undefined : Reflect.get(message, "usage_metadata");
  const total = isRecord(usage) ? usage["total_tokens"] : undefined;
  return typeof total === "number" ? total : 0;
}

function sum(messages: readonly BaseMessage[], count: TokenCounter): number {
  return messages.reduce((total, message) => total + tokensOfMessage(message, count), 0);
}
