import { AIMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";

/** Lines of a tool's answer that are shown. */
const LINES_SHOWN = 6;
/** Characters of a line that are shown. */
const WIDTH = 110;

/** A message as a few readable lines; none for those that are not the agent's or a tool's. */
export function render(message: BaseMessage): string[] {
  if (AIMessage.isInstance(message)) {
    const calls = message.tool_calls ?? [];
    const together = calls.length > 1 ? ` (${calls.length} in parallel)` : "";
    return [
      "",
      `agent  ${clip(message.text)}${together}`,
      ...calls.map(({ name, args }) => `   → ${name}  ${clip(JSON.stringify(args))}`),
    ];
  }
  if (!ToolMessage.isInstance(message)) return [];
  const lines = message.text.split("\n");
  const more =
    lines.length > LINES_SHOWN ? [`   │ … ${lines.length - LINES_SHOWN} more lines`] : [];
  const mark = message.status === "error" ? "✗" : "✓";
  return [
    `   ${mark} ${message.name ?? "tool"}`,
    ...lines.slice(0, LINES_SHOWN).map((line) => `   │ ${clip(line)}`),
    ...more,
  ];
}

function clip(text: string): string {
  const line = text.replaceAll("\n", "⏎");
  return line.length > WIDTH ? `${line.slice(0, WIDTH)}…` : line;
}
