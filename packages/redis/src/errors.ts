import { outcomeUnknown, type WaitEnd } from "@fs/protocol/async";
import { VolumeError } from "@fs/protocol/author";

/** What the loss of an answer means: nothing was to change, nothing has changed, or nobody knows. */
export type Effect = "read" | "undone" | "unknown";

const AGAIN = "Nothing was changed; try again later.";

/** What the first word of a server's refusal means. The server has done nothing then. */
const REFUSALS: ReadonlyArray<
  readonly [
    word: RegExp,
    code: "quota_exceeded" | "permission_denied" | "unavailable",
    detail: string | undefined,
  ]
> = [
  [/\bOOM\b/, "quota_exceeded", undefined],
  [/\bNOPERM\b/, "permission_denied", undefined],
  [/\bREADONLY\b/, "permission_denied", "This server accepts no writes: it is a replica."],
  [/\bNOREPLICAS\b/, "unavailable", `Too few replicas of the server are reachable. ${AGAIN}`],
  [
    /\bMISCONF\b/,
    "unavailable",
    `The server cannot save to its disk, and accepts no writes. ${AGAIN}`,
  ],
  [
    /\b(?:LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN)\b/,
    "unavailable",
    `The server is not ready. ${AGAIN}`,
  ],
  [/\bBUSY\b/, "unavailable", `The server is busy with a script. ${AGAIN}`],
];

/**
 * The coded error for anything a client threw. The cause keeps the server's sentence for the operator, but not the command:
 * its arguments are file contents, or a password.
 */
export function coded(error: unknown, effect: Effect): VolumeError {
  if (VolumeError.isInstance(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  const cause = new Error(message);
  if (error instanceof Error) cause.name = error.name;
  for (const [word, code, detail] of REFUSALS)
    if (word.test(message)) return new VolumeError(code, detail, { cause });
  if (effect === "unknown" && !isReply(error) && !wasNotSent(message))
    return outcomeUnknown("lost", cause);
  return new VolumeError("unavailable", undefined, { cause });
}

/** The error for an answer that was not waited for. */
export function noAnswer(why: WaitEnd, effect: Effect): VolumeError {
  if (effect === "unknown") return outcomeUnknown(why);
  if (why === "aborted") return new VolumeError("aborted");
  if (effect === "read")
    return new VolumeError("timeout", "The server did not answer in time. Try again later.");
  return new VolumeError("unavailable", `The server did not answer in time. ${AGAIN}`);
}

/** True for what the server itself answered: it has refused the command. */
function isReply(error: unknown): boolean {
  return error instanceof Error && error.name === "ReplyError";
}

/** What ioredis says of a command that it has kept to itself. */
function wasNotSent(message: string): boolean {
  return message.startsWith("Stream isn't writeable");
}

/** Returns whether a server refused a write because it is a replica. */
export function isReadOnlyServer(error: unknown): boolean {
  return error instanceof Error && /\bREADONLY\b/.test(error.message);
}

/** Returns whether a server answered that it does not know a script. */
export function isUnknownScript(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("NOSCRIPT");
}
