import type { FsToolName } from "@fs/middleware";

/** The parts of the system prompt that an app can replace with a text of its own, or switch off with `false`. */
export interface Prompts {
  /** How to work. */
  base?: string | false;
  /** When to keep a todo list. */
  todos?: string | false;
  /** How to treat the memory files. Their contents are in the prompt either way. */
  memory?: string | false;
  /** How to use the skills that are listed below it. */
  skills?: string | false;
  /** How to use the files. */
  filesystem?: string | false;
  /** When to delegate. */
  subagents?: string | false;
  /** What a human's review means. Present only with `interruptOn`. */
  approvals?: string | false;
  /** What the app knows of the moment, such as the open file. Comes last, so that what is before it stays cacheable. */
  localContext?: string | false | (() => string);
}

/** What each part says unless the app says otherwise. */
export const DEFAULT_PROMPTS = {
  base: "Work until the task is done, check the results, then answer briefly. Say what blocks you instead of guessing.",
  todos:
    "Plan work of three or more steps with write_todos. Keep one item in progress and mark it completed when it is.",
  memory:
    "These are your memory files. They hold preferences and facts from earlier conversations; a request of the user outweighs them. When the user states a lasting preference, corrects you, or asks you to remember something, save it with edit_file (or write_file if the file is missing) before you answer. Never store passwords, keys or other secrets.",
  skills:
    "Skills are instructions for certain kinds of tasks. When one fits, read its file with read_file before you begin, and follow it.",
  subagents:
    "Delegate independent or context-heavy work with task, in parallel where you can. A subagent sees only your description and works on the same files; the user does not see its report.",
  approvals:
    "A human reviews some tool calls before they run. When one is rejected, follow the human's words and do not repeat the call.",
} as const;

/** What the filesystem part says of the tools that are offered. */
export function filesystemPart(tools: readonly FsToolName[]): string {
  if (tools.length === 0) return "";
  const execute = tools.includes("execute")
    ? " Commands that you execute run in a shell beside these files."
    : "";
  return `Files persist between turns. Paths are absolute; results too large for the conversation are saved to a file.${execute}`;
}

/** The text of a part: the app's own, none, or the default. */
export function partOf(own: string | false | undefined, byDefault: string): string {
  return own === false ? "" : (own ?? byDefault);
}
