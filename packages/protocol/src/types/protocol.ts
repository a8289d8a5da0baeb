import type {
  CallOptions,
  EditOperation,
  ExecuteOptions,
  GrepOptions,
  MutationOptions,
  TransferOptions,
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
  MaybePromise,
  ReadRawResult,
  ReadResult,
  TransferResult,
  WriteResult,
} from "./results.js";

/**
 * A filesystem that an agent works through. The rules of every method are numbered in `docs/semantics.md`.
 *
 * No method throws: a failure is a result with `error` and `code`. Structurally the same as `BackendProtocolV2` of
 * deepagents >= 1.14; what is more here is optional and comes last.
 */
export interface BackendProtocolV2 {
  /**
   * The version of `docs/semantics.md` that the backend follows. A router pushes path patterns and caps down only to
   * backends that declare it, and filters what the others answer itself.
   */
  readonly semantics?: 1;

  /** The immediate children of a directory, sorted by path. Fails with `not_found`, `not_directory`. */
  ls(path: string, options?: CallOptions): MaybePromise<LsResult>;

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
  ): MaybePromise<ReadResult>;

  /** The whole file with its times and type. */
  readRaw(filePath: string, options?: CallOptions): MaybePromise<ReadRawResult>;

  /** Creates a file; parents are implicit. Fails with `already_exists` unless the backend overwrites. */
  write(filePath: string, content: string, options?: MutationOptions): MaybePromise<WriteResult>;

  /** Replaces literal text. Fails with `no_match`, `not_unique`, `not_text`, `conflict`. */
  edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean,
    options?: MutationOptions,
  ): MaybePromise<EditResult>;

  /** Lines that contain a literal text, sorted by path and line. */
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
    options?: GrepOptions,
  ): MaybePromise<GrepResult>;

  /** Files whose path matches, sorted. */
  glob(pattern: string, path?: string, options?: CallOptions): MaybePromise<GlobResult>;

  /** Removes a file, or a directory with all below it. */
  delete?(filePath: string, options?: MutationOptions): MaybePromise<DeleteResult>;

  /** Applies several replacements, in order, all or none. `occurrences` is their sum. */
  multiEdit?(
    filePath: string,
    edits: readonly EditOperation[],
    options?: MutationOptions,
  ): MaybePromise<EditResult>;

  /** Moves a file, or a directory with all below it. */
  move?(from: string, to: string, options?: TransferOptions): MaybePromise<TransferResult>;

  /** Copies a file, or a directory with all below it. */
  copy?(from: string, to: string, options?: TransferOptions): MaybePromise<TransferResult>;

  /** Stores whole files, replacing what is there. Answers in input order; one failure stops nothing. */
  uploadFiles?(
    files: Array<[string, Uint8Array]>,
    options?: CallOptions,
  ): MaybePromise<FileUploadResponse[]>;

  /** Fetches whole files. Answers in input order; one failure stops nothing. */
  downloadFiles?(paths: string[], options?: CallOptions): MaybePromise<FileDownloadResponse[]>;
}

/** A filesystem that can also run commands. */
export interface SandboxBackendProtocolV2 extends BackendProtocolV2 {
  /** Runs a shell command. Never throws: what went wrong is in `output`, `error` and `exitCode`. */
  execute(command: string, options?: ExecuteOptions): MaybePromise<ExecuteResponse>;
  /** Identifies the sandbox. */
  readonly id: string;
}
