import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { doneCalls } from "../messages/calls.js";
import { isRecord } from "../messages/record.js";

/** A message as text for people and summarizers: who, the words, and the calls with all their arguments. */
export function transcriptOf(message: BaseMessage): string {
  const calls = AIMessage.isInstance(message)
    ? (message.tool_calls ?? []).map(({ name, args }) => `[calls ${name} ${JSON.stringify(args)}]`)
    : [];
  const words = typeof message.content === "string" ? message.content : blocksOf(message.content);
  return `${speakerOf(message)}: ${[words, ...calls].filter((text) => text !== "").join("\n")}`;
}

function speakerOf(message: BaseMessage): string {
  if (ToolMessage.isInstance(message))
    return `tool ${message.name ?? ""}${message.status === "error" ? " (failed)" : ""}`;
  return message.getType();
}

function blocksOf(content: readonly unknown[]): string {
  return content
    .map((block) => {
      if (!isRecord(block)) return "";
      if (typeof block["text"] === "string") return block["text"];
      const { type } = block;
      return type === "tool_use" || type === "tool_call" ? "" : `[${String(type)}]`;
    })
    .filter((text) => text !== "")
    .join("\n");
}

/** Blocks of which the transcript has what matters: words, calls, and thoughts, which mean nothing after their turn. */
const IN_WORDS: ReadonlySet<unknown> = new Set([
  "text",
  "text-plain",
  "tool_use",
  "tool_call",
  "input_json_delta",
  "thinking",
  "redacted_thinking",
  "reasoning",
]);

/** Whether a message can be had again from its transcript: `false` for one with a picture or the like. */
export function isWholeInTranscript({ content }: BaseMessage): boolean {
  return typeof content === "string" || content.every(({ type }) => IN_WORDS.has(type));
}

/** The paths that the messages' successful writes and edits name, and the skills that they read, each once. */
export function pathsIn(messages: readonly BaseMessage[]): { files: string[]; skills: string[] } {
  const [files, skills] = [new Set<string>(), new Set<string>()];
  const done = doneCalls(messages);
  for (const message of messages) {
    if (!AIMessage.isInstance(message)) continue;
    for (const { name, args, id } of message.tool_calls ?? []) {
      if (!done.has(id ?? "")) continue;
      const path: unknown = args["file_path"] ?? args["path"];
      if (typeof path !== "string") continue;
      if (name === "read_file" && path.endsWith("/SKILL.md")) skills.add(path);
      if (name === "write_file" || name === "edit_file" || name === "multi_edit") files.add(path);
    }
  }
  return { files: [...files], skills: [...skills] };
}

/** The latest todo list that the messages hold, one item a line. */
export function todosIn(messages: readonly BaseMessage[]): string[] {
  for (const message of messages.toReversed()) {
    if (!AIMessage.isInstance(message)) continue;
    const call = message.tool_calls?.find(({ name }) => name === "write_todos");
    const todos: unknown = call?.args["todos"];
    if (!Array.isArray(todos)) continue;
    return todos.flatMap((todo: unknown) =>
      isRecord(todo) ? [`[${String(todo["status"])}] ${String(todo["content"])}`] : [],
    );
  }
  return [];
}
