import type { ErrorCode } from "../errors/codes.js";
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
import type { ForeignOutcome, MaybePromise } from "./outcome.js";
import type { Filesystem } from "./protocol.js";
import type {
  ExecuteResponse,
  FileData,
  FileInfo,
  FileOperationError,
  GrepMatch,
} from "./results.js";

/** The part of any backend's result that says whether the call failed. */
export type ResultBase = ForeignOutcome<unknown>;

/** The outcome of a mutation, as backends of other packages answer it. */
export type ForeignMutation<Update> = ForeignOutcome<{
  path: string;
  metadata: Record<string, unknown>;
  filesUpdate: Record<string, Update> | null;
  version: string;
  size: number;
  occurrences: number;
  files: number;
}>;

/** One file of a batch, as backends of other packages answer it. */
export interface ForeignTransfer {
  path: string;
  error: FileOperationError | null;
  code?: ErrorCode | undefined;
  version?: string | undefined;
  size?: number | undefined;
}

/**
 * What any backend may be, of this package, of deepagents >= 1.14 or of your own: the same methods as {@link Filesystem}
 * with looser answers. Everything that takes a backend takes this, and `adaptBackendProtocol` makes a `Filesystem` of it.
 */
export interface BackendProtocolV2 {
  readonly semantics?: 1;
  readonly features?: Filesystem["features"];
  ls(
    path: string,
    options?: PageOptions,
  ): MaybePromise<ForeignOutcome<{ files: FileInfo[]; truncated: boolean; warnings: string[] }>>;
  read(
    filePath: string,
    offset?: number,
    limit?: number,
    options?: CallOptions,
  ): MaybePromise<
    ForeignOutcome<{
      content: string | Uint8Array;
      mimeType: string;
      totalLines: number;
      startLine: number;
      endLine: number;
      nextOffset: number;
      version: string;
    }>
  >;
  readRaw(
    filePath: string,
    options?: CallOptions,
  ): MaybePromise<ForeignOutcome<{ data: FileData; version: string }>>;
  write(
    filePath: string,
    content: string,
    options?: WriteOptions,
  ): MaybePromise<ForeignMutation<FileData>>;
  edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean,
    options?: MutationOptions,
  ): MaybePromise<ForeignMutation<FileData>>;
  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
    options?: GrepOptions,
  ): MaybePromise<ForeignOutcome<{ matches: GrepMatch[]; truncated: boolean; warnings: string[] }>>;
  glob(
    pattern: string,
    path?: string,
    options?: PageOptions,
  ): MaybePromise<ForeignOutcome<{ files: FileInfo[]; truncated: boolean; warnings: string[] }>>;
  stat?(path: string, options?: CallOptions): MaybePromise<ForeignOutcome<{ info: FileInfo }>>;
  delete?(filePath: string, options?: MutationOptions): MaybePromise<ForeignMutation<null>>;
  multiEdit?(
    filePath: string,
    edits: readonly EditOperation[],
    options?: MutationOptions,
  ): MaybePromise<ForeignMutation<FileData>>;
  move?(
    from: string,
    to: string,
    options?: TransferOptions,
  ): MaybePromise<ForeignMutation<FileData>>;
  copy?(
    from: string,
    to: string,
    options?: TransferOptions,
  ): MaybePromise<ForeignMutation<FileData>>;
  uploadFiles?(files: UploadFile[], options?: CallOptions): MaybePromise<ForeignTransfer[]>;
  downloadFiles?(
    paths: string[],
    options?: CallOptions,
  ): MaybePromise<Array<ForeignTransfer & { content: Uint8Array | null }>>;
}

/** A backend of any package that can also run commands. */
export interface SandboxBackendProtocolV2 extends BackendProtocolV2 {
  execute(command: string, options?: ExecuteOptions): MaybePromise<ExecuteResponse>;
  readonly id: string;
}
