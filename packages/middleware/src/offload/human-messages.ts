import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { textOf, withPointer } from "./offloaded-content.js";
import { saveText } from "./save-text.js";
import { exceedsTokens } from "./exceeds-tokens.js";
import type { OffloadSettings } from "./tool-results.js";

/** Messages to send, and those among them that must replace the ones of the same id in the state. */
export interface OffloadedMessages {
  readonly messages: BaseMessage[];
  readonly replaced: BaseMessage[];
}

/**
 * Moves the text of huge human messages to files. A message without an id stays, because nothing could replace it in the
 * state and it would be saved again at every call.
 */
export async function offloadHumanMessages(
  messages: BaseMessage[],
  { limit, count, store }: OffloadSettings,
): Promise<OffloadedMessages> {
  const replaced: BaseMessage[] = [];
  const sent: BaseMessage[] = [];
  for (const message of messages) {
    const huge =
      HumanMessage.isInstance(message) &&
      message.id !== undefined &&
      exceedsTokens(textOf(message.content), limit, count);
    const path = huge
      ? await saveText(await store(), "message", message.id ?? "", textOf(message.content))
      : undefined;
    if (path === undefined) {
      sent.push(message);
      continue;
    }
    const short = new HumanMessage({
      content: withPointer(message.content, path, "This message"),
      additional_kwargs: { ...message.additional_kwargs, fs_saved_to: path },
      response_metadata: message.response_metadata,
      ...(message.id === undefined ? {} : { id: message.id }),
      ...(message.name === undefined ? {} : { name: message.name }),
    });
    sent.push(short);
    replaced.push(short);
  }
  return { messages: replaced.length === 0 ? messages : sent, replaced };
}
