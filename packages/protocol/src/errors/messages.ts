import type { Failure, Sentence } from "../types/outcome.js";
import type { ErrorCode } from "./codes.js";

/** The longest stretch of a caller's path that an error repeats. */
const MAX_QUOTED = 200;

/** What a sentence says of a change whose outcome is not known (A7). */
export const OUTCOME_OPEN =
  "The change may or may not have been stored: look before you repeat it.";

/** Quotes a caller's path or pattern for a sentence: clipped, with control characters escaped. */
export function quote(value: unknown): string {
  if (typeof value !== "string") return `(${value === null ? "null" : typeof value})`;
  const clipped = value.length > MAX_QUOTED ? `${value.slice(0, MAX_QUOTED)}…` : value;
  return `'${clipped.toWellFormed().replace(CONTROL, escapeControl)}'`;
}

/** What a caller gave for a path, as the answer of a batch repeats it. An object without a text of its own is named by its kind. */
export function givenPath(path: unknown): string {
  if (typeof path === "string") return path;
  if (path === null || path === undefined || typeof path === "number") return String(path);
  return quote(path);
}

// The C0 range, DEL and the two separators that end a line in some terminals.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f\u2028\u2029]/g;

function escapeControl(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The sentence of each code that needs no more than the path. `not found` is what other routers look for in it. */
const SENTENCES: Record<ErrorCode, (path: string) => Sentence> = {
  not_found: (path) => `${path} was not found.`,
  already_exists: (path) =>
    `${path} already exists. Edit it, or choose another path; write only creates.`,
  is_directory: (path) => `${path} is a directory, not a file.`,
  not_directory: (path) => `${path} is not a directory, or lies below a file.`,
  invalid_path: (path) => `${path} is not a valid path.`,
  invalid_argument: (path) => `An argument of the call on ${path} is not valid.`,
  invalid_pattern: (path) => `${path} is not a valid pattern.`,
  invalid_range: (path) => `The requested lines of ${path} do not exist.`,
  no_match: (path) => `The text to replace was not found in ${path}.`,
  not_unique: (path) => `The text to replace occurs more than once in ${path}.`,
  not_text: (path) => `${path} is not a text file.`,
  conflict: (path) => `${path} was changed by another call. Read it again and retry.`,
  too_large: (path) => `${path} is larger than this backend accepts.`,
  permission_denied: (path) => `Access to ${path} is denied.`,
  quota_exceeded: (path) => `There is no room left to store ${path}.`,
  unsupported: (path) => `This backend cannot do that with ${path}.`,
  unavailable: (path) => `The storage behind ${path} is not available. Try again later.`,
  aborted: (path) => `The operation on ${path} was aborted.`,
  timeout: (path) => `The operation on ${path} took too long.`,
};

/**
 * The failed result for a code and the path as its caller wrote it.
 *
 * @param detail A sentence that replaces the standard one. It must hold nothing of the host: no real path, address or key.
 * @returns `{ error, code }`, to be spread into a result.
 */
export function failure(code: ErrorCode, path: unknown, detail?: string): Failure {
  const sentence = asSentence(detail);
  const made: Failure = { error: sentence ?? SENTENCES[code](quote(path)), code };
  // The subject of `invalid_pattern` is no path.
  const aboutPath = typeof path === "string" && path.startsWith("/") && code !== "invalid_pattern";
  if (sentence === undefined && aboutPath) SUBJECTS.set(made, { code, path });
  return made;
}

interface Subject {
  readonly code: ErrorCode;
  readonly path: string;
}

// Beside the failures instead of in them, so that a failure stays two fields for whoever compares or serializes it.
const SUBJECTS = new WeakMap<object, Subject>();

/**
 * A failure of {@link failure}, with its standard sentence made anew for another path: what a router makes of the failure of
 * a mounted backend. `undefined` for every other result, whose paths are only in its text.
 */
export function failureAbout<R>(result: R, rename: (path: string) => string): R | undefined {
  const subject = SUBJECTS.get(result as object);
  if (subject === undefined) return undefined;
  return failure(subject.code, rename(subject.path)) as R;
}

/** The text, where it is a sentence: something to read, with a space in it. */
export function asSentence(text: string | null | undefined): Sentence | undefined {
  if (text === undefined || text === null || text.trim() === "") return undefined;
  const sentence = /\S\s+\S/.test(text) ? text : `Failed: ${text}`;
  return sentence as Sentence;
}
