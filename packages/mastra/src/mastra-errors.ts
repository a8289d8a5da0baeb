import { errnoOf } from "@fs/node";
import type * as Workspace from "@mastra/core/workspace";

/** The error classes of `@mastra/core/workspace`, which its tools distinguish. */
export type MastraErrors = Pick<
  typeof Workspace,
  | "DirectoryNotEmptyError"
  | "DirectoryNotFoundError"
  | "FileExistsError"
  | "FileNotFoundError"
  | "FilesystemError"
  | "IsDirectoryError"
  | "NotDirectoryError"
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
  switch (code) {
    case "ENOENT":
      return operation === "readdir" || operation === "rmdir"
        ? new errors.DirectoryNotFoundError(path)
        : new errors.FileNotFoundError(path);
    case "EEXIST":
      return new errors.FileExistsError(path);
    case "EISDIR":
    case "ERR_FS_EISDIR":
      return new errors.IsDirectoryError(path);
    case "ENOTDIR":
      return new errors.NotDirectoryError(path);
    case "ENOTEMPTY":
      return new errors.DirectoryNotEmptyError(path);
    case "EACCES":
      return new errors.PermissionError(path, operation);
    default:
      return new errors.FilesystemError(`${code}: ${operation} failed on ${path}`, code, path);
  }
}
