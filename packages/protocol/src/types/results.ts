import type { ErrorCode } from "../errors/codes.js";

/** A value, or a promise of it: every method of a backend may answer either way. */
export type MaybePromise<T> = T | Promise<T>;

/** What every result has: on failure a sentence and a stable code, on success neither. */
export interface ResultBase {
  /** A sentence for the agent. Present exactly when the call failed. */
  error?: string;
  /** The stable code of the failure. Absent from backends that know no codes. */
  code?: ErrorCode;
}

/** One entry of a listing. A directory's path ends in `/`. */
export interface FileInfo {
  /** Absolute path; ends in `/` for a directory. */
  path: string;
  is_dir?: boolean;
  /** Bytes. */
  size?: number;
  /** ISO 8601, UTC. */
  modified_at?: string;
}

/** One matching line. */
export interface GrepMatch {
  path: string;
  /** 1-based line number. */
  line: number;
  /** The line without its terminator. */
  text: string;
  /** Lines right before the match, oldest first, when `before` was asked for. */
  before?: string[];
  /** Lines right after the match, when `after` was asked for. */
  after?: string[];
}

export interface LsResult extends ResultBase {
  files?: FileInfo[];
  /** Routes that failed, in a composite with `partial: true`. */
  warnings?: string[];
}

export interface GlobResult extends ResultBase {
  files?: FileInfo[];
  /** True when the answer is incomplete. */
  truncated?: boolean;
  /** Routes that failed, in a composite with `partial: true`. */
  warnings?: string[];
}

export interface GrepResult extends ResultBase {
  matches?: GrepMatch[];
  /** True when there were more matches than `maxCount`. */
  truncated?: boolean;
  /** Routes that failed, in a composite with `partial: true`. */
  warnings?: string[];
}

export interface ReadResult extends ResultBase {
  /** The exact slice of a text file, or all bytes of a binary one. */
  content?: string | Uint8Array;
  mimeType?: string;
  /** Lines of the whole file, where known. */
  totalLines?: number;
  /** 1-based number of the first line in `content`. */
  startLine?: number;
  /** 1-based number of the last line in `content`. */
  endLine?: number;
  /** The offset that continues the page. Absent at the end of the file. */
  nextOffset?: number;
  /** The file's version, for `ifVersion`. Absent where the storage has none. */
  version?: string;
}

/** File data as older releases stored it: an array of lines. Text only. */
export interface FileDataV1 {
  content: string[];
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601. */
  modified_at: string;
}

/** File data: a string for text, bytes for anything else. */
export interface FileDataV2 {
  content: string | Uint8Array;
  mimeType: string;
  /** ISO 8601. */
  created_at: string;
  /** ISO 8601. */
  modified_at: string;
}

export type FileData = FileDataV1 | FileDataV2;

export interface ReadRawResult extends ResultBase {
  data?: FileData;
}

/** What a mutation may carry for checkpointed backends. */
interface MutationResult extends ResultBase {
  /** The path as the caller wrote it, normalised. */
  path?: string;
  /** Free-form data for the tool message. */
  metadata?: Record<string, unknown>;
}

export interface WriteResult extends MutationResult {
  /** @deprecated State updates for backends built with a runtime. Zero-argument backends send them themselves. */
  filesUpdate?: Record<string, FileData> | null;
}

export interface EditResult extends MutationResult {
  /** @deprecated State updates for backends built with a runtime. Zero-argument backends send them themselves. */
  filesUpdate?: Record<string, FileData> | null;
  /** How many occurrences were replaced. */
  occurrences?: number;
}

export interface DeleteResult extends MutationResult {
  /** @deprecated State updates for backends built with a runtime. Zero-argument backends send them themselves. */
  filesUpdate?: Record<string, null> | null;
}

/** The result of `move` and `copy`; `path` is the destination. */
export interface TransferResult extends MutationResult {
  /** How many files arrived. */
  files?: number;
}

export interface ExecuteResponse {
  /** Standard output and standard error as they came. */
  output: string;
  /** `null` when a signal ended the command. */
  exitCode: number | null;
  /** True when `output` was cut. */
  truncated: boolean;
  /** A sentence, when the command could not be run or was ended. */
  error?: string;
  code?: ErrorCode;
}

/** The four codes of a batch transfer. */
export type FileOperationError =
  | "file_not_found"
  | "permission_denied"
  | "is_directory"
  | "invalid_path";

export interface FileUploadResponse {
  path: string;
  error: FileOperationError | null;
  /** The stable code behind `error`, which knows only four. */
  code?: ErrorCode;
}

export interface FileDownloadResponse {
  path: string;
  content: Uint8Array | null;
  error: FileOperationError | null;
  /** The stable code behind `error`, which knows only four. */
  code?: ErrorCode;
}
