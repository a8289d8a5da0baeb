import type {
  DeleteResult,
  EditResult,
  ExecuteResponse,
  FileData,
  FileDownloadResponse,
  FileInfo,
  FileUploadResponse,
  GrepMatch,
  MaybePromise,
  WriteResult,
} from "../types/results.js";
import type { BackendProtocolV2, SandboxBackendProtocolV2 } from "../types/protocol.js";

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
  write(filePath: string, content: string): MaybePromise<WriteResult>;
  edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean,
  ): MaybePromise<EditResult>;
  delete?(filePath: string): MaybePromise<DeleteResult>;
  uploadFiles?(files: Array<[string, Uint8Array]>): MaybePromise<FileUploadResponse[]>;
  downloadFiles?(paths: string[]): MaybePromise<FileDownloadResponse[]>;
}

/** @deprecated Implement {@link SandboxBackendProtocolV2}. */
export interface SandboxBackendProtocolV1 extends BackendProtocolV1 {
  execute(command: string): MaybePromise<ExecuteResponse>;
  readonly id: string;
}

/** A backend of either version. */
export type AnyBackendProtocol = BackendProtocolV1 | BackendProtocolV2;

/** A sandbox of either version. */
export type AnySandboxProtocol = SandboxBackendProtocolV1 | SandboxBackendProtocolV2;
