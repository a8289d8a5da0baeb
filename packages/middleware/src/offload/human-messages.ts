import type { FilesUpdate } from "@fs/tools";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { textOf, withPointer } from "./offloaded-content.js";
import { saveText } from "./save-text.js";
import { exceedsTokens } from "./exceeds-tokens.js";
import type { OffloadSettings } from "./tool-results.js";

/** Messages to send, and those among them that must replace the ones of the same id in the state. */
export interface OffloadedMessages {
  readonly messages: BaseMessage[];
  readonly replaced: BaseMessage[];
  /** What the saving left for the state's `files`. */
  readonly files: FilesUpdate;
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
  let files: FilesUpdate = {};
  for (const message of messages) {
    const huge =
      HumanMessage.isInstance(message) &&
      message.id !== undefined &&
      // A pointer may itself be longer than a small limit.
      message.additional_kwargs["fs_saved_to"] === undefined &&
      exceedsTokens(textOf(message.content), limit, count);
    const saved = huge
      ? await saveText(store, "message", message.id ?? "", textOf(message.content))
      : undefined;
    if (saved === undefined) {
      sent.push(message);
      continue;
    }
    files = { ...files, ...saved.filesUpdate };
    const short = new HumanMessage({
      content: withPointer(message.content, saved.path, "This message"),
      additional_kwargs: { ...message.additional_kwargs, fs_saved_to: saved.path },
      response_metadata: message.response_metadata,
      ...(message.id === undefined ? {} : { id: message.id }),
      ...(message.name === undefined ? {} : { name: message.name }),
    });
    sent.push(short);
    replaced.push(short);
  }
  return { messages: replaced.length === 0 ? messages : sent, replaced, files };
}
