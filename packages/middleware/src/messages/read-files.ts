import { canonicalPath } from "@fs/protocol/author";
import { ToolMessage, type BaseMessage } from "@langchain/core/messages";

/** Tools after whose success the model knows what a file holds. */
const TELLING: ReadonlySet<unknown> = new Set([
  "read_file",
  "write_file",
  "edit_file",
  "multi_edit",
]);

/**
 * Tells whether the conversation shows what a file holds: it was read, written or edited in it. The thread's own messages
 * are the record, so a summary that drops the reading also drops the right to edit without looking again.
 */
export function isKnown(messages: readonly BaseMessage[], path: string): boolean {
  const wanted = canonical(path);
  return messages.some(
    (message) =>
      ToolMessage.isInstance(message) &&
      message.status !== "error" &&
      TELLING.has(message.name) &&
      canonical(pathIn(message.artifact)) === wanted,
  );
}

function pathIn(artifact: unknown): unknown {
  return typeof artifact === "object" && artifact !== null && "path" in artifact
    ? artifact.path
    : undefined;
}

function canonical(path: unknown): unknown {
  const result = canonicalPath(path);
  return result.failure === undefined ? result.path : path;
}
