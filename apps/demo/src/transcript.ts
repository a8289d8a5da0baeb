import { AIMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";

/** Characters of a line that are shown. */
const WIDTH = 96;
/** What says best what a call is about, of the arguments that tools have. */
const SUBJECTS = ["file_path", "path"];

/** A message as a few readable lines, one for each call; none for those that are not the agent's or a tool's. */
export function render(message: BaseMessage, before: readonly BaseMessage[] = []): string[] {
  if (AIMessage.isInstance(message)) return ["", `agent  ${clip(message.text)}`];
  if (!ToolMessage.isInstance(message)) return [];
  const args = argumentsOf(message, before);
  const subject = SUBJECTS.map((name) => args[name]).find((value) => typeof value === "string");
  const pattern = typeof args["pattern"] === "string" ? ` ${args["pattern"]}` : "";
  const failed = message.status === "error";
  const call = `${message.name ?? "tool"} ${subject ?? ""}${message.name === "grep" ? pattern : ""}`;
  return [`  ${failed ? "✗" : "✓"} ${clip(`${call.trim().padEnd(34)}  ${summary(message.text)}`)}`];
}

/** The arguments of the call that a tool message answers. */
export function argumentsOf(
  message: ToolMessage,
  before: readonly BaseMessage[],
): Readonly<Record<string, unknown>> {
  const calls = before.flatMap((earlier) =>
    AIMessage.isInstance(earlier) ? (earlier.tool_calls ?? []) : [],
  );
  return calls.find(({ id }) => id === message.tool_call_id)?.args ?? {};
}

function summary(text: string): string {
  const lines = text.split("\n");
  return lines.length === 1 ? text : `${lines.length} lines`;
}

function clip(text: string): string {
  const line = text.replaceAll("\n", "⏎");
  return line.length > WIDTH ? `${line.slice(0, WIDTH)}…` : line;
}
