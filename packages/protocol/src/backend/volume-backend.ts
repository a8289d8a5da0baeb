import {
  filePathArgument,
  pathArgument,
  countArgument,
  editsArgument,
  textArgument,
} from "../call/arguments.js";
import { answerBatch } from "../call/answer-batch.js";
import { attemptAsWritten } from "../call/attempt-as-written.js";
import { notifyOperator } from "../call/attempt.js";
import type { MethodName } from "../call/methods.js";
import { TREE_ACCESS, type TreeAccess } from "../call/tree-access.js";
import { withoutHooks } from "../spi/without-hooks.js";
import type { Volume } from "../spi/volume.js";
import { DEFAULT_LIMIT } from "../text/page.js";
import type {
  CallOptions,
  EditOperation,
  GrepOptions,
  MutationOptions,
  PageOptions,
  TransferOptions,
  UploadFile,
  WriteOptions,
} from "../types/options.js";
import type { Failure } from "../types/outcome.js";
import type { Feature, Filesystem } from "../types/protocol.js";
import type {
  DeleteResult,
  EditResult,
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
} from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { describePath } from "./describe-path.js";
import { downloadBatch } from "./download-batch.js";
import { editFile } from "./edit-file.js";
import { globFiles } from "./glob-files.js";
import { grepFiles } from "./grep-files.js";
import { listDirectory } from "./list-directory.js";
import { readFile, readRawFile } from "./read-file.js";
import { relocate } from "./relocate.js";
import { removePath } from "./remove-path.js";
import { uploadBatch } from "./upload-batch.js";
import {
  contextOf,
  type VolumeBackendInternals,
  type VolumeBackendOptions,
} from "./volume-backend-options.js";
import { volumeTree } from "./volume-end.js";
import { writeFile } from "./write-file.js";
import { VOLUME_FEATURES } from "./volume-features.js";

export type { VolumeBackendOptions } from "./volume-backend-options.js";

/**
 * The filesystem protocol over a {@link Volume}: every rule that an agent can observe lives here, once. Backends are thin
 * subclasses whose constructor builds the volume.
 *
 * @example
 * class MyBackend extends VolumeBackend {
 *   constructor(client: Client) {
 *     super(myVolume(client));
 *   }
 * }
 */
export class VolumeBackend implements Filesystem, AsyncDisposable {
  readonly semantics = 1;
  readonly #context: VolumeContext;
  readonly #options: VolumeBackendOptions & VolumeBackendInternals;

  /** Throws a TypeError for an option of the wrong type. */
  constructor(volume: Volume, options: VolumeBackendOptions & VolumeBackendInternals = {}) {
    this.#options = options;
    this.#context = contextOf(volume, options);
  }

  /** `"stat"`, `"versions"`, `"conditionalUploads"`, `"pages"`; and `"watch"` of a backend that has `watch`. */
  get features(): readonly Feature[] {
    return "watch" in this ? [...VOLUME_FEATURES, "watch"] : VOLUME_FEATURES;
  }

  /** The storage below. */
  protected get volume(): Volume {
    return this.#context.volume;
  }

  /** The same files through the volume's four primitives alone. The conformance suite compares the two. */
  withoutHooks(): VolumeBackend {
    return new VolumeBackend(withoutHooks(this.#context.volume), this.#options);
  }

  /** @internal For the wrappers and the router of this package. */
  get [TREE_ACCESS](): TreeAccess {
    return volumeTree(this.#context);
  }

  ls(path?: string, options?: PageOptions): Promise<LsResult> {
    return this.#call("ls", [path ?? "/"], options, (checked) =>
      listDirectory(this.#context, this.#path(path, true), checked),
    );
  }

  stat(path: string, options?: CallOptions): Promise<StatResult> {
    return this.#call("stat", [path], options, async (checked) => ({
      info: await describePath(this.#context, this.#path(path), path.endsWith("/"), checked),
    }));
  }

  read(
    filePath: string,
    offset = 0,
    limit = DEFAULT_LIMIT,
    options?: CallOptions,
  ): Promise<ReadResult> {
    return this.#call("read", [filePath], options, (checked) => {
      const path = this.#filePath(filePath);
      const from = countArgument("offset", offset);
      return readFile(this.#context, path, from, countArgument("limit", limit), checked);
    });
  }

  readRaw(filePath: string, options?: CallOptions): Promise<ReadRawResult> {
    return this.#call("readRaw", [filePath], options, (checked) =>
      readRawFile(this.#context, this.#filePath(filePath), checked),
    );
  }

  write(filePath: string, content: string, options?: WriteOptions): Promise<WriteResult> {
    return this.#call("write", [filePath], options, (checked) => {
      const path = this.#filePath(filePath);
      return writeFile(this.#context, path, textArgument("content", content), checked);
    });
  }

  edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll = false,
    options?: MutationOptions,
  ): Promise<EditResult> {
    return this.#edit("edit", filePath, [{ old: oldString, new: newString, replaceAll }], options);
  }

  multiEdit(
    filePath: string,
    edits: readonly EditOperation[],
    options?: MutationOptions,
  ): Promise<EditResult> {
    return this.#edit("multiEdit", filePath, edits, options);
  }

  delete(filePath: string, options?: MutationOptions): Promise<DeleteResult> {
    return this.#call("delete", [filePath], options, (checked) => {
      const path = this.#path(filePath);
      return removePath(this.#context, path, filePath.endsWith("/"), checked);
    });
  }

  move(from: string, to: string, options?: TransferOptions): Promise<TransferResult> {
    return this.#relocate("move", from, to, options);
  }

  copy(from: string, to: string, options?: TransferOptions): Promise<TransferResult> {
    return this.#relocate("copy", from, to, options);
  }

  glob(pattern: string, path?: string, options?: PageOptions): Promise<GlobResult> {
    return this.#call("glob", [path ?? "/"], options, (checked) =>
      globFiles(this.#context, pattern, this.#path(path, true), checked),
    );
  }

  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
    options?: GrepOptions,
  ): Promise<GrepResult> {
    return this.#call("grep", [path ?? "/"], options, (checked) =>
      grepFiles(this.#context, pattern, this.#path(path, true), glob, maxCount, checked),
    );
  }

  uploadFiles(files: UploadFile[], options?: CallOptions): Promise<FileUploadResponse[]> {
    return answerBatch("uploadFiles", files, options, (call) =>
      uploadBatch(this.#context, files, call, this.#batch("uploadFiles")),
    );
  }

  downloadFiles(paths: string[], options?: CallOptions): Promise<FileDownloadResponse[]> {
    return answerBatch("downloadFiles", paths, options, (call) =>
      downloadBatch(this.#context, paths, call, this.#batch("downloadFiles")),
    );
  }

  /** Frees what the volume holds. Calls after it may fail with `unavailable`. */
  async close(): Promise<void> {
    await this.#context.volume.close?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #resolve(path: unknown): unknown {
    return this.#options.resolvePath === undefined ? path : this.#options.resolvePath(path);
  }

  #path(path: unknown, optional = false): string {
    return pathArgument(this.#resolve(path), optional);
  }

  #filePath(path: unknown): string {
    return filePathArgument(this.#resolve(path));
  }

  #batch(operation: MethodName): {
    filePath: (path: unknown) => string;
    onError: (error: unknown, path: unknown) => void;
  } {
    return {
      filePath: (path) => this.#filePath(path),
      onError: (error, path) => notifyOperator(this.#options.onError, error, { operation, path }),
    };
  }

  #edit(
    method: "edit" | "multiEdit",
    filePath: string,
    edits: readonly EditOperation[],
    options: MutationOptions | undefined,
  ): Promise<EditResult> {
    return this.#call(method, [filePath], options, (checked) => {
      const path = this.#filePath(filePath);
      return editFile(this.#context, path, editsArgument(edits), checked);
    });
  }

  #relocate(
    kind: "move" | "copy",
    from: string,
    to: string,
    options: TransferOptions | undefined,
  ): Promise<TransferResult> {
    return this.#call(kind, [from, to], options, (checked) =>
      relocate(this.#context, kind, this.#path(from), this.#path(to), checked),
    );
  }

  #call<T, O extends CallOptions>(
    method: MethodName,
    written: readonly unknown[],
    options: O | undefined,
    task: (options: O) => Promise<T>,
  ): Promise<T | Failure> {
    const { onError } = this.#options;
    const resolve = (path: unknown): unknown => this.#resolve(path);
    return attemptAsWritten(method, written, options, task, { onError, resolve });
  }
}
