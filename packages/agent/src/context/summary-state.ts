import { createHash } from "node:crypto";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { z } from "zod";

/** What the thread remembers of its summaries: which messages one stands for, by what they are and not by where they are. */
export interface SummaryState {
  /** The text that is sent instead of the covered messages; none yet when only arguments were shortened. */
  readonly text?: string | undefined;
  /** Keys of the messages that the text stands for. */
  readonly covered: readonly string[];
  /** Id of the last of them. If it is gone, all messages count again. */
  readonly upTo?: string | undefined;
  /** Where the covered messages are saved; none when that always failed. */
  readonly path?: string | undefined;
  /** Whether later ones of the covered messages could not be saved, and are in the state only. */
  readonly unsaved?: boolean | undefined;
  /** Id of the last message whose long arguments are shortened. */
  readonly shortenedTo?: string | undefined;
  /** Id of the last message when this was made: earlier reports of sizes are no longer true. */
  readonly at?: string | undefined;
  /** Whether covered messages were removed from the state on purpose, so that their absence means nothing. */
  readonly pruned?: boolean | undefined;
}

/** The private state field. */
export const summaryValue = z.custom<SummaryState>().optional();

const keys = new WeakMap<BaseMessage, string>();

/** What identifies a message as it is now: its id and a digest of what it says. An edited message has another key. */
export function keyOf(message: BaseMessage): string {
  let key = keys.get(message);
  if (key === undefined) {
    const calls = AIMessage.isInstance(message) ? message.tool_calls : undefined;
    const digest = createHash("sha256").update(JSON.stringify([message.content, calls ?? []]));
    key = `${message.id ?? ""}:${digest.digest("hex").slice(0, 12)}`;
    keys.set(message, key);
  }
  return key;
}

/** Messages that belong together: one, or a message with calls and their results. */
export function groupsOf(messages: readonly BaseMessage[]): BaseMessage[][] {
  const groups: BaseMessage[][] = [];
  const byCall = new Map<string, BaseMessage[]>();
  for (const message of messages) {
    const own = ToolMessage.isInstance(message) ? byCall.get(message.tool_call_id) : undefined;
    if (own !== undefined) {
      own.push(message);
      continue;
    }
    const group = [message];
    groups.push(group);
    if (AIMessage.isInstance(message))
      for (const { id } of message.tool_calls ?? []) if (id !== undefined) byCall.set(id, group);
  }
  return groups;
}

/** The ids of the messages that the summary stands for. A group with one message that it does not know stays whole. */
export function hiddenIds(
  messages: readonly BaseMessage[],
  summary: SummaryState | undefined,
): ReadonlySet<string> {
  const hidden = new Set<string>();
  if (summary?.text === undefined) return hidden;
  const anchored = summary.pruned === true || messages.some(({ id }) => id === summary.upTo);
  if (!anchored) return hidden;
  const covered = new Set(summary.covered);
  for (const group of groupsOf(messages))
    if (group.every((message) => covered.has(keyOf(message))))
      for (const { id } of group) if (id !== undefined) hidden.add(id);
  return hidden;
}

/**
 * The messages to send: the summary, then those it does not stand for. Messages without an id were put in by other middleware
 * right after the one they explain, and go with it.
 */
export function withoutHidden(
  sent: readonly BaseMessage[],
  hidden: ReadonlySet<string>,
  summary: SummaryState | undefined,
): BaseMessage[] {
  const stands = summary?.text !== undefined && (hidden.size > 0 || summary.pruned === true);
  if (!stands) return [...sent];
  const visible: BaseMessage[] = [summaryMessage(summary)];
  let hiding = false;
  for (const message of sent) {
    if (message.id !== undefined) hiding = hidden.has(message.id);
    if (!hiding) visible.push(message);
  }
  return visible;
}

/** What the model sees of a thread: also what a fork inherits. */
export function effectiveMessages(
  messages: readonly BaseMessage[],
  summary: SummaryState | undefined,
): BaseMessage[] {
  return withoutHidden(messages, hiddenIds(messages, summary), summary);
}

function summaryMessage({ text = "", path, unsaved }: SummaryState): HumanMessage {
  const where =
    path === undefined
      ? "The earlier messages themselves could not be saved to a file."
      : unsaved === true
        ? `The first of the earlier messages are in ${path}; the later ones could not be saved to a file.`
        : `The earlier messages are in ${path}; read or search that file for details.`;
  return new HumanMessage({
    content: `The earlier part of this conversation was summarized:\n\n${text}\n\n${where}`,
    additional_kwargs: { lc_source: "summarization" },
  });
}
