import { isRecord } from "@fs/tools";

/** What a person decides about staged changes. */
export interface StagingDecision {
  /** `approve` commits. `reject` discards, or with a comment leaves all as it is and lets the agent go on. */
  readonly type: "approve" | "reject";
  /** Globs of the paths that are meant; the others stay staged. Default: all. */
  readonly only?: string | readonly string[];
  /** What the agent is to know. */
  readonly comment?: string;
}

/**
 * The decisions of an answer, in order: `true`, `"approve"`, `"reject"`, a decision, or `{ decisions: [...] }`, in which
 * LangChain's `message` is a comment. A sentence that says what is wrong where the answer is none of these.
 */
export function decisionsOf(answer: unknown): readonly StagingDecision[] | string {
  if (answer === true) return [{ type: "approve" }];
  if (answer === false) return [{ type: "reject" }];
  if (answer === "approve" || answer === "reject") return [{ type: answer }];
  if (!isRecord(answer)) return WRONG;
  const { decisions, ...beside } = answer;
  // An 'only' beside the list would be about none of them, and everything would be approved.
  if (Array.isArray(decisions) && Object.keys(beside).length > 0) return WRONG;
  const list: readonly unknown[] = Array.isArray(decisions) ? decisions : [answer];
  const read = list.map(decisionOf);
  const problem = read.find((one) => typeof one === "string");
  if (problem !== undefined || read.length === 0) return problem ?? WRONG;
  return read.filter((one) => typeof one !== "string");
}

const WRONG =
  "The answer must be { type: 'approve' | 'reject', only?, comment? }, or { decisions: [...] } of these.";

function decisionOf(value: unknown): StagingDecision | string {
  if (!isRecord(value)) return WRONG;
  const { type, only, message, comment = message, ...others } = value;
  // A misspelt 'only' must not approve everything.
  if (Object.keys(others).length > 0) return WRONG;
  if (type !== "approve" && type !== "reject") return WRONG;
  if (comment !== undefined && typeof comment !== "string") return "'comment' must be a text.";
  if (only !== undefined && !isSelection(only)) return "'only' must be a glob or a list of globs.";
  return {
    type,
    ...(only === undefined ? {} : { only }),
    ...(comment === undefined || comment.trim() === "" ? {} : { comment }),
  };
}

function isSelection(value: unknown): value is string | readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.length > 0 && list.every((glob) => typeof glob === "string" && glob !== "");
}
