import type { MaybePromise } from "../types/outcome.js";
import type {
  ExecuteResponse,
  FileData,
  FileInfo,
  FileOperationError,
  GrepMatch,
} from "../types/results.js";

/** What a change answers in the first version. */
interface MutationV1<Update> {
  error?: string;
  path?: string;
  filesUpdate?: Record<string, Update> | null;
  metadata?: Record<string, unknown>;
  occurrences?: number;
}

/** One file of a batch in the first version. */
interface TransferV1 {
  path: string;
  error: FileOperationError | null;
}

/**
 * The first version of the protocol: bare values in place of results.
 *
 * @deprecated Implement {@link BackendProtocolV2}; pass what you have through `adaptBackendProtocol`.
 */
export interface BackendProtocolV1 {
  lsInfo(path: string): MaybePromise<FileInfo[]>;
  read(filePath: string, offset?: number, limit?: number): MaybePromise<string>;
  readRaw(filePath: string): MaybePromise<FileData>;
  grepRaw(
    pattern: string,
    path?: string | null,
    glob?: string | null,
  ): MaybePromise<GrepMatch[] | string>;
  globInfo(pattern: string, path?: string): MaybePromise<FileInfo[]>;
  write(filePath: string, content: string): MaybePromise<MutationV1<FileData>>;
  edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean,
  ): MaybePromise<MutationV1<FileData>>;
  delete?(filePath: string): MaybePromise<MutationV1<null>>;
  uploadFiles?(files: Array<[string, Uint8Array]>): MaybePromise<TransferV1[]>;
  downloadFiles?(paths: string[]): MaybePromise<Array<TransferV1 & { content: Uint8Array | null }>>;
}

/** @deprecated Implement {@link SandboxBackendProtocolV2}. */
export interface SandboxBackendProtocolV1 extends BackendProtocolV1 {
  execute(command: string): MaybePromise<ExecuteResponse>;
  readonly id: string;
}
