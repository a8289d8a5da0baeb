import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { doneCalls } from "../messages/calls.js";
import { isRecord } from "../messages/record.js";
import { rewriteCalls } from "../messages/rewrite-calls.js";

const WRITING: ReadonlySet<string> = new Set(["write_file", "edit_file", "multi_edit"]);

/**
 * The messages with long arguments of old writes and edits replaced by a pointer to the file, wherever a provider may read
 * them. Only calls that succeeded: what was refused is in no file.
 *
 * @param upTo Id of the last message that is old.
 */
export function shortenArguments(
  messages: readonly BaseMessage[],
  upTo: string | undefined,
  longest: number,
): BaseMessage[] {
  const end = upTo === undefined ? -1 : messages.findIndex(({ id }) => id === upTo);
  if (end === -1) return [...messages];
  const done = doneCalls(messages);
  return messages.map((message, at) =>
    at <= end && AIMessage.isInstance(message)
      ? rewriteCalls(message, (call) =>
          WRITING.has(call.name) && done.has(call.id ?? "") ? shortened(call, longest) : undefined,
        )
      : message,
  );
}

function shortened(
  { name: tool, args }: ToolCall,
  longest: number,
): { name: string; args: Record<string, unknown> } | undefined {
  const path: unknown = args["file_path"] ?? args["path"];
  let changed = false;
  const pointer = (value: unknown, key: string): unknown => {
    if (Array.isArray(value)) return value.map((item: unknown) => pointer(item, key));
    if (isRecord(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, pointer(item, name)]),
      );
    if (typeof value !== "string" || value.length <= longest) return value;
    changed = true;
    const state = key.startsWith("old") ? "replaced in" : "saved in";
    return `(${value.length} characters, ${state} ${typeof path === "string" ? path : "the file"})`;
  };
  const next = Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, value === path ? value : pointer(value, key)]),
  );
  return changed ? { name: tool, args: next } : undefined;
}
