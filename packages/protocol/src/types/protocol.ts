import type {
  CallOptions,
  EditOperation,
  ExecuteOptions,
  GrepOptions,
  MutationOptions,
  PageOptions,
  TransferOptions,
  UploadFile,
  WriteOptions,
} from "./options.js";
import type {
  DeleteResult,
  EditResult,
  ExecuteResponse,
  FileDownloadResponse,
  FileUploadResponse,
  GlobResult,
  GrepResult,
  LsResult,
  ReadRawResult,
  ReadResult,
  StatResult,
  TransferResult,
  WriteResult,
} from "./results.js";

/**
 * What a backend offers beyond the methods that can be seen: `"stat"` and `"watch"` the methods; `"versions"` versions in
 * every result and `ifVersion`; `"conditionalUploads"` the condition of each file of an upload; `"pages"` `limit` and
 * `after` of `ls` and `glob`.
 */
export type Feature = "stat" | "versions" | "conditionalUploads" | "pages" | "watch";

/**
 * A filesystem that an agent works through, as this package answers. The rules of every method are numbered in
 * `docs/semantics.md`.
 *
 * No method throws: a failure is a result with `error` and `code`. Assignable to `BackendProtocolV2` of deepagents >= 1.14;
 * what is more here is optional and comes last.
 */
export interface Filesystem {
  /**
   * The version of `docs/semantics.md` that the backend follows. A router pushes path patterns and caps down only to
   * backends that declare it, and normalises the answers of others.
   */
  readonly semantics?: 1;

  /** What the backend offers; a caller that needs a condition checks it. Absent: nothing beyond the methods. */
  readonly features?: readonly Feature[];

  /** As {@link features}, for one path: a composite answers with those of the path's owner. */
  featuresAt?(path: string): readonly Feature[];

  /** The immediate children of a directory, sorted by path. Fails with `not_found`, `not_directory`. */
  ls(path?: string, options?: PageOptions): Promise<LsResult>;

  /**
   * A page of a text file, or all bytes of a binary one.
   *
   * @param offset First line, 0-based. Default 0.
   * @param limit Lines at most. Default 500.
   */
  read(
    filePath: string,
    offset?: number,
    limit?: number,
    options?: CallOptions,
  ): Promise<ReadResult>;

  /** The whole file with its times and type. */
  readRaw(filePath: string, options?: CallOptions): Promise<ReadRawResult>;

  /** Creates a file; parents are implicit. Fails with `already_exists` unless the backend overwrites. */
  write(filePath: string, content: string, options?: WriteOptions): Promise<WriteResult>;

  /** Replaces literal text. Fails with `no_match`, `not_unique`, `not_text`, `conflict`. */
  edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean,
    options?: MutationOptions,
  ): Promise<EditResult>;

  /** Lines that contain a literal text, sorted by path and line. */
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
    options?: GrepOptions,
  ): Promise<GrepResult>;

  /** Files whose path matches, sorted. */
  glob(pattern: string, path?: string, options?: PageOptions): Promise<GlobResult>;

  /** What stands at a path: size, times and version, without the content. Fails with `not_found`. */
  stat?(path: string, options?: CallOptions): Promise<StatResult>;

  /** Removes a file, or a directory with all below it. */
  delete?(filePath: string, options?: MutationOptions): Promise<DeleteResult>;

  /** Applies several replacements, in order, all or none. `occurrences` is their sum. */
  multiEdit?(
    filePath: string,
    edits: readonly EditOperation[],
    options?: MutationOptions,
  ): Promise<EditResult>;

  /** Moves a file, or a directory with all below it. */
  move?(from: string, to: string, options?: TransferOptions): Promise<TransferResult>;

  /** Copies a file, or a directory with all below it. */
  copy?(from: string, to: string, options?: TransferOptions): Promise<TransferResult>;

  /** Stores whole files, each on its condition, else replacing. Answers in input order; one failure stops nothing. */
  uploadFiles?(files: UploadFile[], options?: CallOptions): Promise<FileUploadResponse[]>;

  /** Fetches whole files. Answers in input order; one failure stops nothing. */
  downloadFiles?(paths: string[], options?: CallOptions): Promise<FileDownloadResponse[]>;

  /** Frees connections and handles, as `Symbol.asyncDispose` does. Calls after it may fail with `unavailable`. */
  close?(): Promise<void>;
}

/** A filesystem that can also run commands. */
export interface SandboxFilesystem extends Filesystem {
  /** Runs a shell command. Never throws: what went wrong is in `output`, `error` and `exitCode`. */
  execute(command: string, options?: ExecuteOptions): Promise<ExecuteResponse>;
  /** Identifies the sandbox. */
  readonly id: string;
}
