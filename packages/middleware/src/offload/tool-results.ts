import { ToolMessage } from "@langchain/core/messages";
import { Command, isCommand, Overwrite } from "@langchain/langgraph";
import { isRecord, type TokenCounter } from "@fs/tools";
import { textOf, withPointer } from "./offloaded-content.js";
import { type ArtifactStore, saveText } from "./save-text.js";
import { exceedsTokens } from "./exceeds-tokens.js";

/** When a text is large, and where it goes then. */
export interface OffloadSettings {
  readonly limit: number;
  readonly count: TokenCounter;
  readonly store: () => Promise<ArtifactStore>;
}

/** A tool's result with large texts moved to files: a message, or a command with messages in its update. */
export async function offloadResult(
  result: ToolMessage | Command,
  settings: OffloadSettings,
): Promise<ToolMessage | Command> {
  if (!isCommand(result)) return offloadMessage(result, settings);
  const { update } = result;
  if (!isRecord(update)) return result;
  const messages = await offloadUpdate(update["messages"], settings);
  if (messages === update["messages"]) return result;
  return new Command({
    update: { ...update, messages },
    ...(result.goto === undefined ? {} : { goto: result.goto }),
    ...(result.resume === undefined ? {} : { resume: result.resume }),
    ...(result.graph === undefined ? {} : { graph: result.graph }),
  });
}

/** The messages of an update, in whichever form: one, a list, or a list that replaces all. */
async function offloadUpdate(messages: unknown, settings: OffloadSettings): Promise<unknown> {
  if (ToolMessage.isInstance(messages)) return offloadMessage(messages, settings);
  if (messages instanceof Overwrite) {
    const value = await offloadUpdate(messages.value, settings);
    return value === messages.value ? messages : new Overwrite(value);
  }
  if (!Array.isArray(messages)) return messages;
  const offloaded = await Promise.all(
    messages.map(async (message: unknown) =>
      ToolMessage.isInstance(message) ? offloadMessage(message, settings) : message,
    ),
  );
  return offloaded.some((message, index) => message !== messages[index]) ? offloaded : messages;
}

/** The same message with a pointer and a preview, if its text is large and could be saved. */
async function offloadMessage(
  message: ToolMessage,
  { limit, count, store }: OffloadSettings,
): Promise<ToolMessage> {
  const text = textOf(message.content);
  if (!exceedsTokens(text, limit, count)) return message;
  const path = await saveText(await store(), message.name ?? "tool", message.tool_call_id, text);
  if (path === undefined) return message;
  return new ToolMessage({
    content: withPointer(message.content, path, "This result"),
    tool_call_id: message.tool_call_id,
    additional_kwargs: { ...message.additional_kwargs, fs_saved_to: path },
    response_metadata: message.response_metadata,
    ...(message.id === undefined ? {} : { id: message.id }),
    ...(message.name === undefined ? {} : { name: message.name }),
    ...(message.status === undefined ? {} : { status: message.status }),
    ...(message.artifact === undefined ? {} : { artifact: message.artifact as unknown }),
    ...(message.metadata === undefined ? {} : { metadata: message.metadata }),
  });
}
