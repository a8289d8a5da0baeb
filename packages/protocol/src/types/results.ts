import type { ErrorCode } from "../errors/codes.js";
import type { Outcome } from "./outcome.js";

/** One entry of a listing. A directory's path ends in `/`. */
export interface FileInfo {
  /** Absolute path; ends in `/` for a directory. */
  path: string;
  is_dir?: boolean;
  /** Bytes. */
  size?: number;
  /** ISO 8601, UTC. */
  modified_at?: string;
  /** The file's version, for `ifVersion`: in `stat`, and in listings where the storage gives it for free. */
  version?: string;
}

/** What stands at a path. */
export interface FileStat extends FileInfo {
  /** ISO 8601, UTC; where the storage knows. */
  created_at?: string;
  /** The type of a media file, by its extension. Absent where only the content decides: `stat` never reads it. */
  mimeType?: string;
  /**
   * Names the write that stored the file, where versions are hashes of the content and the storage knows it: of two writes of
   * one content each has its own. `""` for a file that another program has stored.
   */
  writeId?: string;
}

export type StatResult = Outcome<{ info: FileStat }>;

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

/** A listing, or a page of one. */
interface Listing {
  files: FileInfo[];
  /** True when the answer is incomplete. */
  truncated?: boolean;
  /** The `after` that continues a page cut by `limit`. Absent at the end. */
  nextAfter?: string;
  /** What is missing here: what the storage's system refuses to show, and in a composite with `partial: true` routes that failed. */
  warnings?: string[];
}

export type LsResult = Outcome<Listing>;

export type GlobResult = Outcome<Listing>;

export type GrepResult = Outcome<{
  matches: GrepMatch[];
  /** True when there were more matches than `maxCount`. */
  truncated?: boolean;
  /** What is missing here: what the storage's system refuses to show, and in a composite with `partial: true` routes that failed. */
  warnings?: string[];
}>;

export type ReadResult = Outcome<{
  /** The exact slice of a text file, or all bytes of a binary one. */
  content: string | Uint8Array;
  mimeType: string;
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
}>;

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

export type ReadRawResult = Outcome<{
  data: FileDataV2;
  /** The file's version, for `ifVersion`. Absent where the storage has none. */
  version?: string;
}>;

/** What every mutation answers. */
interface Mutation {
  /** The canonical path. */
  path: string;
  /** Free-form data for the tool message. */
  metadata?: Record<string, unknown>;
}

/** The file as a call left it. */
interface Stored extends Mutation {
  /** The version that the call stored, for `ifVersion`. Absent where the storage has none. */
  version?: string;
  /** Bytes that the call stored, where known. */
  size?: number;
  /** @deprecated State updates for backends built with a runtime. Zero-argument backends send them themselves. */
  filesUpdate?: Record<string, FileData> | null;
}

export type WriteResult = Outcome<Stored>;

export type EditResult = Outcome<
  Stored & {
    /** How many occurrences were replaced. */
    occurrences: number;
  }
>;

export type DeleteResult = Outcome<
  Mutation & {
    /** @deprecated State updates for backends built with a runtime. Zero-argument backends send them themselves. */
    filesUpdate?: Record<string, null> | null;
  }
>;

/** The result of `move` and `copy`; `path` is the destination. */
export type TransferResult = Outcome<
  Mutation & {
    /** How many files arrived. */
    files: number;
  }
>;

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

/** The failure of one file of a batch. */
interface FailedTransfer {
  path: string;
  error: FileOperationError;
  /** The stable code behind `error`, which knows only four. */
  code?: ErrorCode;
}

export type FileUploadResponse =
  | {
      path: string;
      error: null;
      code?: never;
      /** The version that was stored. Absent where the storage has none. */
      version?: string;
      /** Bytes that were stored. */
      size?: number;
      /** Names this write, as `writeId` of `stat` does from then on. */
      writeId?: string;
    }
  | (FailedTransfer & { version?: never; size?: never; writeId?: never });

export type FileDownloadResponse =
  | {
      path: string;
      content: Uint8Array;
      error: null;
      code?: never;
      /** The version of the content. Absent where the storage has none. */
      version?: string;
      /** Names the write that stored the content, as `writeId` of `stat`. */
      writeId?: string;
    }
  | (FailedTransfer & { content: null; version?: never; writeId?: never });
