import { optionsOf } from "@fs/protocol/async";
import { createHash } from "node:crypto";
import { carriedUpdate, type FilesUpdate, readableText } from "@fs/middleware";
import type { CallOptions, Filesystem } from "@fs/protocol";
import type { BaseMessage } from "@langchain/core/messages";
import { loadTexts } from "../files/download.js";
import { filesOfGraph } from "../files/graph-files.js";
import { keyOf } from "./summary-state.js";
import { transcriptOf } from "./transcript.js";

/** Times that an append is tried again after another writer was faster. */
const ATTEMPTS = 8;

/** The history file of one agent in one thread. Ids of any length and content stay one name inside the folder. */
export function historyPath(root: string, thread: string, agent: string): string {
  return `${root.replace(/\/+$/, "")}/${segmentOf(thread)}/${segmentOf(agent)}.md`;
}

function segmentOf(id: string): string {
  // Capitals count as unsafe, because some filesystems do not tell them apart.
  if (/^[a-z0-9_](?:[a-z0-9_-]|\.(?!\.)){0,63}$/.test(id)) return id;
  const digest = createHash("sha256").update(id.toWellFormed()).digest("hex").slice(0, 16);
  const readable = id
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, "_")
    .slice(0, 32);
  return `${readable === "" ? "_" : readable}-${digest}`;
}

/** What became of messages that were to be saved. */
export interface SavedHistory {
  /** A sentence when they could not all be saved. */
  readonly problem?: string;
  /** What has to be put into the graph's state for them to be saved. */
  readonly files?: FilesUpdate;
}

/**
 * Appends messages to a history file, those that are not in it yet. An append is an edit of the file's last line, so that of
 * two writers none overwrites the other.
 */
async function saveHistory(
  backend: Filesystem,
  path: string,
  messages: readonly BaseMessage[],
  options: CallOptions,
): Promise<SavedHistory> {
  let problem = "";
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const [file] = await loadTexts(backend, [path], options);
    if (file === undefined) return { problem: "the history file could not be read" };
    if (file.text === undefined && file.problem !== "missing")
      return { problem: `the history file could not be read: ${file.problem}` };
    const before = file.text ?? "";
    const fresh = messages.filter((message) => !before.includes(`\n${headingOf(message)}\n`));
    if (fresh.length === 0) return {};
    const section = sectionOf(fresh);
    const last = before.trimEnd().split("\n").at(-1) ?? "";
    const saved =
      file.text === undefined
        ? await backend.write(path, `# Conversation history\n${section}`, options)
        : // With its line break, because a quoted copy of the line does not begin one.
          await backend.edit(path, `\n${last}`, `\n${last}\n${section.trimEnd()}`, false, options);
    if (!saved.error) return carried(saved);
    problem = saved.error ?? "no answer";
  }
  return { problem: `the history file could not be written: ${problem}` };
}

/** A backend made for a runtime stores nothing itself: what it answers has to go into the state, if that has a place for it. */
function carried(saved: object): SavedHistory {
  const files = carriedUpdate(saved).filesUpdate ?? {};
  if (Object.keys(files).length === 0) return {};
  return filesOfGraph() === undefined
    ? { problem: "the graph's state has no field for files" }
    : { files };
}

function headingOf(message: BaseMessage): string {
  return `## ${message.getType()} ${keyOf(message).replace(/\s+/g, "_")}`;
}

/** Bodies are quoted, so that no text in them passes for a heading or for the last line. */
function sectionOf(messages: readonly BaseMessage[]): string {
  const parts = messages.map((message) => {
    const body = readableText(transcriptOf(message));
    return `\n${headingOf(message)}\n\n${quoted(body)}\n`;
  });
  const ends = createHash("sha256").update(messages.map(keyOf).join("\n")).digest("hex");
  return `${parts.join("")}\n<!-- end of section ${ends.slice(0, 16)} -->\n`;
}

/** {@link saveHistory} on a backend that may throw. */
export async function trySaving(
  backend: () => Promise<Filesystem>,
  path: string,
  messages: readonly BaseMessage[],
  signal: AbortSignal | undefined,
): Promise<SavedHistory> {
  try {
    return await saveHistory(await backend(), path, messages, optionsOf(signal));
  } catch (error) {
    // What a foreign backend wrote before it threw is found by its headings at the next attempt.
    return { problem: error instanceof Error ? error.name : "an error was thrown" };
  }
}

/** As a quote of Markdown. A carriage return does not end a line. */
function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\n");
}
