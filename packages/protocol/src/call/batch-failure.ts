import type { ErrorCode } from "../errors/codes.js";
import type { FileOperationError } from "../types/results.js";

const NEAREST: Readonly<Partial<Record<ErrorCode, FileOperationError>>> = {
  not_found: "file_not_found",
  is_directory: "is_directory",
  invalid_path: "invalid_path",
  invalid_argument: "invalid_path",
  not_directory: "invalid_path",
  too_large: "invalid_path",
};

/** A failure as one file of a batch reports it. */
export interface BatchFailure {
  error: FileOperationError;
  code: ErrorCode;
}

/** The failure of one file of a batch: the code, and the nearest of the four that batches have always had. */
export function batchFailure(code: ErrorCode): BatchFailure {
  return { error: NEAREST[code] ?? "permission_denied", code };
}
