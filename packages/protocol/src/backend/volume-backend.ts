import { KeyedQueue } from "../concurrency/keyed-queue.js";
import type { Failure } from "../errors/messages.js";
import { withoutHooks } from "../spi/without-hooks.js";
import type { Volume } from "../spi/volume.js";
import { DEFAULT_LIMIT } from "../text/page.js";
import type {
  CallOptions,
  EditOperation,
  GrepOptions,
  MutationOptions,
  TransferOptions,
} from "../types/options.js";
import type { BackendProtocolV2 } from "../types/protocol.js";
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
  TransferResult,
  WriteResult,
} from "../types/results.js";
import {
  countArgument,
  editsArgument,
  filePathArgument,
  pathArgument,
  textArgument,
} from "./arguments.js";
import { attempt, tellOperator, type Attempt, type ErrorListener } from "./attempt.js";
import type { VolumeContext } from "./context.js";
import { editFile } from "./edit-file.js";
import { globFiles } from "./glob-files.js";
import { grepFiles } from "./grep-files.js";
import { listDirectory } from "./list-directory.js";
import { readFile, readRawFile } from "./read-file.js";
import { relocate } from "./relocate.js";
import { removePath } from "./remove-path.js";
import { downloadBatch, uploadBatch } from "./transfer-batch.js";
import { writeFile } from "./write-file.js";

export interface VolumeBackendOptions {
  /** What `write` does to a file that is there: `"create"` refuses, `"overwrite"` replaces. Default `"create"`. */
  writeMode?: "create" | "overwrite";
  /** Bytes that a stored file may have; more is `too_large`. Default: no limit of the backend's own. */
  maxFileBytes?: number;
  /** Calls on the storage under way at once, per operation. Default 16. */
  concurrency?: number;
  /** Hears of every unexpected error behind a failed result, with its real cause. For the operator's log. */
  onError?: ErrorListener;
  /** Rewrites a path before it is checked, for backends whose callers may write other than canonical ones. */
  resolvePath?: (path: unknown) => unknown;
}

/** For a volume that orders mutations itself. */
const AT_ONCE: VolumeContext["queue"] = { run: (_path, task) => task() };

/**
 * The filesystem protocol over a {@link Volume}: every rule that an agent can observe lives here, once. Backends are thin
 * subclasses whose constructor builds the volume.
 *
 * @example
 * class MyBackend extends VolumeBackend {
 *   constructor(client: Client) {
 *     super(new MyVolume(client));
 *   }
 * }
 */
export class VolumeBackend implements BackendProtocolV2, AsyncDisposable {
  readonly semantics = 1;
  readonly #context: VolumeContext;
  readonly #options: VolumeBackendOptions;

  constructor(volume: Volume, options: VolumeBackendOptions = {}) {
    this.#options = options;
    this.#context = {
      volume,
      writeMode: options.writeMode ?? "create",
      maxFileBytes: options.maxFileBytes ?? Infinity,
      concurrency: options.concurrency ?? 16,
      queue: volume.ordersMutations === true ? AT_ONCE : new KeyedQueue(),
    };
  }

  /** The storage below. */
  protected get volume(): Volume {
    return this.#context.volume;
  }

  /** The same files through the volume's four primitives alone. The conformance suite compares the two. */
  withoutHooks(): VolumeBackend {
    return new VolumeBackend(withoutHooks(this.#context.volume), this.#options);
  }

  async ls(path?: string, options?: CallOptions): Promise<LsResult> {
    return this.#read("ls", path, options, (call) =>
      listDirectory(this.#context, this.#path(path, true), call),
    );
  }

  async read(
    filePath: string,
    offset = 0,
    limit = DEFAULT_LIMIT,
    options?: CallOptions,
  ): Promise<ReadResult> {
    return this.#read("read", filePath, options, async (call) => {
      const path = this.#filePath(filePath);
      const from = countArgument("offset", offset);
      return readFile(this.#context, path, from, countArgument("limit", limit), call);
    });
  }

  async readRaw(filePath: string, options?: CallOptions): Promise<ReadRawResult> {
    return this.#read("readRaw", filePath, options, (call) =>
      readRawFile(this.#context, this.#filePath(filePath), call),
    );
  }

  async write(filePath: string, content: string, options?: MutationOptions): Promise<WriteResult> {
    return this.#mutate("write", filePath, options, async (call) => {
      const path = this.#filePath(filePath);
      return writeFile(this.#context, path, textArgument("content", content), call);
    });
  }

  async edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll = false,
    options?: MutationOptions,
  ): Promise<EditResult> {
    return this.#edit("edit", filePath, [{ old: oldString, new: newString, replaceAll }], options);
  }

  async multiEdit(
    filePath: string,
    edits: readonly EditOperation[],
    options?: MutationOptions,
  ): Promise<EditResult> {
    return this.#edit("multiEdit", filePath, edits, options);
  }

  async delete(filePath: string, options?: MutationOptions): Promise<DeleteResult> {
    return this.#mutate("delete", filePath, options, async (call) => {
      const path = this.#path(filePath);
      return removePath(this.#context, path, filePath.endsWith("/"), call);
    });
  }

  async move(from: string, to: string, options?: TransferOptions): Promise<TransferResult> {
    return this.#relocate("move", from, to, options);
  }

  async copy(from: string, to: string, options?: TransferOptions): Promise<TransferResult> {
    return this.#relocate("copy", from, to, options);
  }

  async glob(pattern: string, path?: string, options?: CallOptions): Promise<GlobResult> {
    return this.#read("glob", path ?? "/", options, async (call) =>
      globFiles(this.#context, pattern, this.#path(path, true), call),
    );
  }

  async grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
    options?: GrepOptions,
  ): Promise<GrepResult> {
    return this.#read("grep", path ?? "/", options, async (call) =>
      grepFiles(this.#context, pattern, this.#path(path, true), glob, maxCount, call),
    );
  }

  async uploadFiles(
    files: Array<[string, Uint8Array]>,
    options?: CallOptions,
  ): Promise<FileUploadResponse[]> {
    if (!Array.isArray(files)) return [];
    const resolved = files.map((file) => [this.#resolve(file?.[0]), file?.[1]] as const);
    const listener = this.#listener("uploadFiles");
    const stored = await uploadBatch(this.#context, resolved, options ?? {}, listener);
    return stored.map((response, index) => ({
      ...response,
      path: files[index]?.[0] ?? response.path,
    }));
  }

  async downloadFiles(paths: string[], options?: CallOptions): Promise<FileDownloadResponse[]> {
    if (!Array.isArray(paths)) return [];
    const resolved = paths.map((path) => this.#resolve(path));
    const listener = this.#listener("downloadFiles");
    const fetched = await downloadBatch(this.#context, resolved, options ?? {}, listener);
    return fetched.map((response, index) => ({ ...response, path: paths[index] ?? response.path }));
  }

  /** Frees what the volume holds. Calls after it may fail with `unavailable`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.volume.close?.();
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

  #listener(operation: string): (error: unknown, path: unknown) => void {
    return (error, path) => tellOperator(this.#options.onError, error, { operation, path });
  }

  #edit(
    operation: string,
    filePath: string,
    edits: readonly EditOperation[],
    options: MutationOptions | undefined,
  ): Promise<EditResult> {
    return this.#mutate(operation, filePath, options, async (call) => {
      const path = this.#filePath(filePath);
      return editFile(this.#context, path, editsArgument(edits), call);
    });
  }

  #relocate(
    kind: "move" | "copy",
    from: string,
    to: string,
    options: TransferOptions | undefined,
  ): Promise<TransferResult> {
    return this.#mutate(kind, from, options, async (call) =>
      relocate(this.#context, kind, this.#path(from), this.#path(to), call),
    );
  }

  #read<T, O extends CallOptions>(
    operation: string,
    path: unknown,
    options: O | undefined,
    task: (options: O | CallOptions) => Promise<T>,
  ): Promise<T | Failure> {
    return this.#attempt({ operation, path, readOnly: true }, options, task);
  }

  #mutate<T, O extends CallOptions>(
    operation: string,
    path: unknown,
    options: O | undefined,
    task: (options: O | CallOptions) => Promise<T>,
  ): Promise<T | Failure> {
    return this.#attempt({ operation, path, readOnly: false }, options, task);
  }

  #attempt<T, O extends CallOptions>(
    call: Omit<Attempt, "onError">,
    options: O | undefined,
    task: (options: O | CallOptions) => Promise<T>,
  ): Promise<T | Failure> {
    return attempt({ ...call, onError: this.#options.onError }, options, task);
  }
}
