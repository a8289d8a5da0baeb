import type { ErrorCode } from "./codes.js";
import { failure, OUTCOME_OPEN, quote } from "./messages.js";
import type { Failure } from "../types/outcome.js";
import { VolumeError } from "./volume-error.js";

/** What the `errno` names of Node and libuv mean here. Anything else is `unavailable`. */
const ERRNO: Readonly<Record<string, ErrorCode>> = {
  ENOENT: "not_found",
  EEXIST: "already_exists",
  ENOTEMPTY: "already_exists",
  EISDIR: "is_directory",
  ENOTDIR: "not_directory",
  EACCES: "permission_denied",
  EPERM: "permission_denied",
  EROFS: "permission_denied",
  ELOOP: "permission_denied",
  ENAMETOOLONG: "invalid_path",
  EILSEQ: "invalid_path",
  EFBIG: "too_large",
  ERR_FS_FILE_TOO_LARGE: "too_large",
  ERR_STRING_TOO_LONG: "too_large",
  ENOSPC: "quota_exceeded",
  EDQUOT: "quota_exceeded",
  ETIMEDOUT: "timeout",
  ABORT_ERR: "aborted",
};

/** Errors of a connection that was never made: nothing was asked of the storage. */
const NOT_SENT: ReadonlySet<string> = new Set(
  "ECONNREFUSED ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH EMFILE ENFILE".split(" "),
);

/**
 * Turns anything a volume or a foreign backend threw into a failed result.
 *
 * Never repeats the thrown message: it may name a host path, an address or a key. An unknown error keeps only its
 * class, which tells a developer of a bug apart from an outage.
 *
 * @param options.mayHaveChanged Whether the call was a change. If so, the sentence of an error that leaves its outcome open says
 * that (A7). Default `false`.
 */
export function failureFromThrown(
  thrown: unknown,
  path: unknown,
  { mayHaveChanged = false }: { mayHaveChanged?: boolean } = {},
): Failure {
  if (VolumeError.isInstance(thrown)) {
    return failure(thrown.code, thrown.path ?? path, thrown.detail);
  }
  if (isAbort(thrown)) return failure("aborted", path);
  const code = codeOf(thrown);
  const known = code === undefined ? undefined : ERRNO[code];
  const isOpen = mayHaveChanged && !NOT_SENT.has(code ?? "");
  if (known === "timeout" && isOpen)
    return failure(known, path, `No answer came in time. ${OUTCOME_OPEN}`);
  if (known !== undefined) return failure(known, path);
  const next = isOpen ? OUTCOME_OPEN : "Try again later.";
  return failure(
    "unavailable",
    path,
    `The storage behind ${quote(path)} failed (${errorKind(thrown)}). ${next}`,
  );
}

/** What may be repeated of an unknown error: its code, else its class. */
export function errorKind(thrown: unknown): string {
  return codeOf(thrown) ?? classOf(thrown);
}

function isAbort(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.name === "AbortError";
}

function codeOf(thrown: unknown): string | undefined {
  if (typeof thrown !== "object" || thrown === null || !("code" in thrown)) return undefined;
  const { code } = thrown;
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{2,40}$/.test(code) ? code : undefined;
}

function classOf(thrown: unknown): string {
  const name = thrown instanceof Error ? thrown.constructor.name : typeof thrown;
  return /^[A-Za-z][A-Za-z0-9_]{0,40}$/.test(name) ? name : "Error";
}
