import { type FilesUpdate, isRecord, type TokenCounter } from "@fs/tools";
import { ToolMessage } from "@langchain/core/messages";
import { Command, isCommand, Overwrite } from "@langchain/langgraph";
import { exceedsTokens } from "./exceeds-tokens.js";
import { textOf, withPointer } from "./offloaded-content.js";
import { type ArtifactStore, saveText } from "./save-text.js";

/** When a text is large, and where it goes then. */
export interface OffloadSettings {
  readonly limit: number;
  readonly count: TokenCounter;
  readonly store: ArtifactStore;
}

/** A value after offloading, and what the saving left for the state's `files`. */
interface Offloaded<T> {
  readonly value: T;
  readonly files: FilesUpdate;
}

/** A tool's result with large texts moved to files: a message, or a command with messages in its update. */
export async function offloadResult(
  result: ToolMessage | Command,
  settings: OffloadSettings,
): Promise<ToolMessage | Command> {
  if (!isCommand(result)) {
    const { value: message, files } = await offloadMessage(result, settings);
    return isEmpty(files) ? message : new Command({ update: { files, messages: [message] } });
  }
  const { update } = result;
  if (!isRecord(update)) return result;
  const { value: messages, files } = await offloadUpdate(update["messages"], settings);
  if (messages === update["messages"]) return result;
  const before = isRecord(update["files"]) ? update["files"] : {};
  return new Command({
    update: {
      ...update,
      messages,
      ...(isEmpty(files) ? {} : { files: { ...before, ...files } }),
    },
    ...(result.goto === undefined ? {} : { goto: result.goto }),
    ...(result.resume === undefined ? {} : { resume: result.resume }),
    ...(result.graph === undefined ? {} : { graph: result.graph }),
  });
}

/** The messages of an update, in whichever form: one, a list, or a list that replaces all. */
async function offloadUpdate(
  messages: unknown,
  settings: OffloadSettings,
): Promise<Offloaded<unknown>> {
  if (ToolMessage.isInstance(messages)) return offloadMessage(messages, settings);
  if (messages instanceof Overwrite) {
    const { value, files } = await offloadUpdate(messages.value, settings);
    return { value: value === messages.value ? messages : new Overwrite(value), files };
  }
  if (!Array.isArray(messages)) return { value: messages, files: {} };
  const offloaded = await Promise.all(
    messages.map(async (message: unknown): Promise<Offloaded<unknown>> =>
      ToolMessage.isInstance(message)
        ? offloadMessage(message, settings)
        : { value: message, files: {} },
    ),
  );
  const changed = offloaded.some(({ value }, index) => value !== messages[index]);
  return {
    value: changed ? offloaded.map(({ value }) => value) : messages,
    files: Object.assign({}, ...offloaded.map(({ files }) => files)) as FilesUpdate,
  };
}

/** The same message with a pointer and a preview, if its text is large and could be saved. */
async function offloadMessage(
  message: ToolMessage,
  { limit, count, store }: OffloadSettings,
): Promise<Offloaded<ToolMessage>> {
  const text = textOf(message.content);
  if (!exceedsTokens(text, limit, count)) return { value: message, files: {} };
  const saved = await saveText(store, message.name ?? "tool", message.tool_call_id, text);
  if (saved === undefined) return { value: message, files: {} };
  const { path, filesUpdate = {} } = saved;
  const value = new ToolMessage({
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
  return { value, files: filesUpdate };
}

function isEmpty(files: FilesUpdate): boolean {
  return Object.keys(files).length === 0;
}
