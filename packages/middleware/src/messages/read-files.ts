import { canonicalName, isRecord, type KnownFiles } from "@fs/tools";
import { ToolMessage } from "@langchain/core/messages";

/** Tools after whose success the model knows what a file holds. */
const SHOWS_CONTENT: ReadonlySet<unknown> = new Set([
  "read_file",
  "read_files",
  "write_file",
  "edit_file",
  "multi_edit",
]);

/**
 * The files that a conversation shows: read, written or edited in it. The thread's own messages are the record, so a
 * summary that drops the reading also drops the right to edit without looking again.
 */
export function knownFromMessages(state: unknown): KnownFiles {
  const messages: readonly unknown[] =
    isRecord(state) && Array.isArray(state["messages"]) ? state["messages"] : [];
  return {
    has: (path) => messages.some((message) => shownBy(message).includes(canonicalName(path))),
    add: () => undefined,
  };
}

/** The files whose content a message shows. */
function shownBy(message: unknown): readonly string[] {
  if (!ToolMessage.isInstance(message)) return [];
  if (message.status === "error" || !SHOWS_CONTENT.has(message.name)) return [];
  const artifact: unknown = message.artifact;
  if (!isRecord(artifact)) return [];
  const entries: unknown[] = Array.isArray(artifact["files"]) ? artifact["files"] : [artifact];
  return entries.flatMap((entry) =>
    isRecord(entry) && typeof entry["path"] === "string" && entry["error"] === undefined
      ? [canonicalName(entry["path"])]
      : [],
  );
}
