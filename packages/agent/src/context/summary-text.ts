import type { BaseMessage } from "@langchain/core/messages";
import { pathsIn, todosIn, transcriptOf } from "./transcript.js";

/** What stands in for a summary that no model could write: the ends of what was said, the files, the todos. */
export function mechanicalSummary(
  messages: readonly BaseMessage[],
  earlier: string | undefined,
): string {
  const lines = messages.map((message) => clipped(transcriptOf(message)));
  const shown = lines.length <= 12 ? lines : [...lines.slice(0, 6), "…", ...lines.slice(-6)];
  const { files } = pathsIn(messages);
  const todos = todosIn(messages);
  return [
    ...(earlier === undefined ? [] : [earlier, ""]),
    "No summary could be written; these are the first and last lines of the messages.",
    ...shown,
    ...(files.length === 0 ? [] : [`Files written: ${files.join(", ")}`]),
    ...(todos.length === 0 ? [] : ["Todos:", ...todos]),
  ].join("\n");
}

function clipped(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= 300 ? line : `${line.slice(0, 300).toWellFormed()}…`;
}

/** The summary with what the model may have left out: files that were written, open todos, skills to read again. */
export function completed(text: string, messages: readonly BaseMessage[]): string {
  const { files, skills } = pathsIn(messages);
  const missing = files.filter((path) => !text.includes(path));
  const unread = skills.filter((path) => !text.includes(path));
  return [
    text,
    ...(missing.length === 0 ? [] : [`Also written: ${missing.join(", ")}`]),
    ...(unread.length === 0
      ? []
      : [`Skills in use, to be read again with read_file: ${unread.join(", ")}`]),
  ].join("\n");
}
