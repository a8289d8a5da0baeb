import { errnoOf } from "@fs/node";
import type * as Workspace from "@mastra/core/workspace";

/** What Mastra throws for the errors of Node that a path says enough of. */
const CLASS_OF_ERRNO = {
  ENOENT: "FileNotFoundError",
  EEXIST: "FileExistsError",
  EISDIR: "IsDirectoryError",
  ERR_FS_EISDIR: "IsDirectoryError",
  ENOTDIR: "NotDirectoryError",
  ENOTEMPTY: "DirectoryNotEmptyError",
} as const;

/** The error classes of `@mastra/core/workspace`, which its tools distinguish. */
export type MastraErrors = Pick<
  typeof Workspace,
  | (typeof CLASS_OF_ERRNO)[keyof typeof CLASS_OF_ERRNO]
  | "DirectoryNotFoundError"
  | "FilesystemError"
  | "PermissionError"
  | "StaleFileError"
  | "UnsupportedGrepPatternError"
  | "WorkspaceReadOnlyError"
>;

/** The error of Mastra for one of Node. What is no error of Node is returned as it is. */
export function mastraError(
  errors: MastraErrors,
  error: unknown,
  operation: string,
  path: string,
): unknown {
  const code = errnoOf(error);
  if (!(error instanceof Error) || code === undefined || error.name === "AbortError") return error;
  const made = errorFor(errors, code, operation, path);
  return Object.assign(made, { cause: error.cause });
}

function errorFor(errors: MastraErrors, code: string, operation: string, path: string): Error {
  if (code === "ENOENT" && (operation === "readdir" || operation === "rmdir"))
    return new errors.DirectoryNotFoundError(path);
  if (code === "EACCES") return new errors.PermissionError(path, operation);
  if (isNamed(code)) return new errors[CLASS_OF_ERRNO[code]](path);
  return new errors.FilesystemError(`${code}: ${operation} failed on ${path}`, code, path);
}

function isNamed(code: string): code is keyof typeof CLASS_OF_ERRNO {
  return Object.hasOwn(CLASS_OF_ERRNO, code);
}
