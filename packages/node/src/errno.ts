import type { ErrorCode, Failure } from "@fs/protocol";
import { VolumeError } from "@fs/protocol/author";
import { constants } from "node:os";
import { getSystemErrorMap } from "node:util";

/** The names of Node for the codes of the protocol: what a program that was written for `node:fs` branches on. */
export const ERRNO_OF_CODE = {
  not_found: "ENOENT",
  already_exists: "EEXIST",
  is_directory: "EISDIR",
  not_directory: "ENOTDIR",
  invalid_path: "EINVAL",
  invalid_argument: "EINVAL",
  invalid_pattern: "EINVAL",
  invalid_range: "EINVAL",
  no_match: "EINVAL",
  not_unique: "EINVAL",
  not_text: "EILSEQ",
  conflict: "EBUSY",
  too_large: "EFBIG",
  permission_denied: "EACCES",
  quota_exceeded: "EDQUOT",
  unsupported: "ENOTSUP",
  unavailable: "EIO",
  aborted: "ABORT_ERR",
  timeout: "ETIMEDOUT",
} as const satisfies Record<ErrorCode, string>;

const DESCRIPTIONS = new Map(getSystemErrorMap().values());

/** What a call rejects with: an error as of `node:fs`, whose cause is the failure of the backend. */
export interface FilesystemError extends NodeJS.ErrnoException {
  /** The backend's stable code (`cause.code`) and its sentence (`cause.message`). */
  readonly cause: Error & { readonly code: ErrorCode };
}

/**
 * The error of Node for a failure of a backend. `aborted` is an `AbortError`.
 *
 * @param syscall What was called, as Node names it: `open`, `scandir`.
 * @param path As the caller wrote it.
 * @param errno Another name than the one in {@link ERRNO_OF_CODE}, where Node has a finer one: `ENOTEMPTY`, `EPERM`.
 */
export function errnoError(
  { error, code }: Failure,
  syscall: string,
  path: string,
  errno: string = ERRNO_OF_CODE[code],
): FilesystemError {
  const cause = new VolumeError(code, error);
  if (code === "aborted")
    return Object.assign(new Error("The operation was aborted", { cause }), {
      name: "AbortError",
      code: errno,
      cause,
    });
  const number: unknown = Reflect.get(constants.errno, errno);
  const message = `${errno}: ${DESCRIPTIONS.get(errno) ?? error}, ${syscall} '${path}'`;
  return Object.assign(new Error(message, { cause }), {
    code: errno,
    // Node's numbers are negative on every system.
    ...(typeof number === "number" ? { errno: -number } : {}),
    syscall,
    path,
    cause,
  });
}

/** The name of an error of Node, such as `ENOENT`; `undefined` for what is none. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
