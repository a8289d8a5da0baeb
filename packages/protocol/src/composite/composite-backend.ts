import { adaptBackendProtocol } from "../border/adapt.js";
import type { AnyBackendProtocol } from "../border/any-backend.js";
import { isSandboxProtocol } from "../border/guards.js";
import { countArgument, filePathArgument, pathArgument } from "../call/arguments.js";
import { attemptAsWritten } from "../call/attempt-as-written.js";
import { checkedConfiguration } from "../call/configuration.js";
import { linkRootsOf } from "../call/link-roots.js";
import type { MethodName } from "../call/methods.js";
import { TREE_ACCESS, type TreeAccess } from "../call/tree-access.js";
import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
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
} from "../types/options.js";
import type { Failure, MaybePromise } from "../types/outcome.js";
import type { Feature, Filesystem } from "../types/protocol.js";
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
} from "../types/results.js";
import { downloadRouted, uploadRouted } from "./batches.js";
import { listRouted } from "./list-routed.js";
import { commonFeatures, featuresOfOwner } from "./features-routed.js";
import { MountTable, toInner, type Mount } from "./mount-table.js";
import { relocateRouted } from "./relocate-routed.js";
import { outward } from "./rewrite-paths.js";
import { globRouted, grepRouted, type SearchContext } from "./search.js";
import { statRouted } from "./stat-routed.js";
import { refuseFixed, routedTree } from "./tree-routed.js";

export interface CompositeBackendOptions {
  /** Report failing routes of `ls`, `glob` and `grep` in `warnings` beside what the others found. Default `false`: the call fails. */
  partial?: boolean;
}

/**
 * One filesystem out of several, routed by path: the longest prefix wins, everything else goes to the default backend.
 *
 * @example
 * new CompositeBackend(new StateBackend(), { "/memories/": new StoreBackend({ namespace: ["me"] }) });
 */
export class CompositeBackend implements Filesystem, AsyncDisposable {
  readonly semantics = 1;
  /** The routes as they were given, in that order. */
  readonly routePrefixes: string[];
  /** The default backend's, present only when it can execute. */
  readonly execute?: (command: string, options?: ExecuteOptions) => Promise<ExecuteResponse>;
  /** Where a mounted backend follows symbolic links, see `withPermissions`. */
  readonly linkRoots: readonly string[];
  readonly #table: MountTable;
  readonly #search: SearchContext;

  /** Throws a TypeError for a route that is not absolute, is the root, or comes twice, and for what is no backend. */
  constructor(
    defaultBackend: AnyBackendProtocol,
    routes: Record<string, AnyBackendProtocol>,
    options: CompositeBackendOptions = {},
  ) {
    checkedConfiguration("CompositeBackend", options, { partial: "flag" });
    if (typeof routes !== "object" || routes === null || Array.isArray(routes))
      throw new TypeError(
        "The routes of a CompositeBackend must be an object of backends by path.",
      );
    const fallback = adaptBackendProtocol(defaultBackend);
    const entries = Object.entries(routes).map(
      ([route, backend]) => [route, adaptBackendProtocol(backend)] as const,
    );
    this.routePrefixes = Object.keys(routes);
    this.linkRoots = [["/", fallback] as const, ...entries].flatMap(([prefix, backend]) =>
      linkRootsOf(backend).map((root) => `${prefix.replace(/\/$/, "")}${root}`),
    );
    this.#table = new MountTable(fallback, entries);
    this.#search = { table: this.#table, partial: options.partial ?? false };
    if (isSandboxProtocol(fallback)) {
      const sandbox = fallback;
      this.execute = async (command, executeOptions) => sandbox.execute(command, executeOptions);
    }
  }

  /** Recognises a composite of this package or of deepagents. */
  static isInstance(backend: unknown): backend is CompositeBackend {
    return (
      typeof backend === "object" &&
      backend !== null &&
      "routePrefixes" in backend &&
      Array.isArray(backend.routePrefixes)
    );
  }

  /** The default backend's id when it can execute, else `""`. */
  get id(): string {
    const { backend } = this.#table.ownerOf("/");
    return isSandboxProtocol(backend) ? backend.id : "";
  }

  /** Where the default backend's commands find their files, for the tool that offers `execute`. */
  get executeDescription(): string | undefined {
    const described: unknown = Reflect.get(this.#table.ownerOf("/").backend, "executeDescription");
    return typeof described === "string" ? described : undefined;
  }

  /** What every mount offers; {@link featuresAt} says what the owner of a path does. */
  get features(): readonly Feature[] {
    return commonFeatures(this.#table);
  }

  /** What the owner of a path offers there; nothing for what is no path. */
  featuresAt(path: string): readonly Feature[] {
    return featuresOfOwner(this.#table, path);
  }

  /** @internal For the wrappers and the router of this package. */
  get [TREE_ACCESS](): TreeAccess {
    return routedTree(this.#table);
  }

  ls(path?: string, options?: PageOptions): Promise<LsResult> {
    return attemptAsWritten("ls", [path ?? "/"], options, (checked) =>
      listRouted(this.#search, pathArgument(path, true), checked),
    );
  }

  stat(path: string, options?: CallOptions): Promise<StatResult> {
    return attemptAsWritten("stat", [path], options, (checked) =>
      statRouted(this.#table, path, checked),
    );
  }

  glob(pattern: string, path?: string, options?: PageOptions): Promise<GlobResult> {
    return attemptAsWritten("glob", [path ?? "/"], options, (checked) =>
      globRouted(this.#search, pattern, pathArgument(path, true), checked),
    );
  }

  grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
    options?: GrepOptions,
  ): Promise<GrepResult> {
    return attemptAsWritten("grep", [path ?? "/"], options, (checked) => {
      if (maxCount !== undefined && maxCount !== null) countArgument("maxCount", maxCount);
      return grepRouted(this.#search, pattern, pathArgument(path, true), glob, maxCount, checked);
    });
  }

  read(
    filePath: string,
    offset?: number,
    limit?: number,
    options?: CallOptions,
  ): Promise<ReadResult> {
    return this.#onFile("read", filePath, options, ({ backend }, inner, checked) =>
      backend.read(inner, offset, limit, checked),
    );
  }

  readRaw(filePath: string, options?: CallOptions): Promise<ReadRawResult> {
    return this.#onFile("readRaw", filePath, options, ({ backend }, inner, checked) =>
      backend.readRaw(inner, checked),
    );
  }

  write(filePath: string, content: string, options?: WriteOptions): Promise<WriteResult> {
    return this.#onFile("write", filePath, options, ({ backend }, inner, checked) =>
      backend.write(inner, content, checked),
    );
  }

  edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean,
    options?: MutationOptions,
  ): Promise<EditResult> {
    return this.#onFile("edit", filePath, options, ({ backend }, inner, checked) =>
      backend.edit(inner, oldString, newString, replaceAll, checked),
    );
  }

  multiEdit(
    filePath: string,
    edits: readonly EditOperation[],
    options?: MutationOptions,
  ): Promise<EditResult> {
    return this.#onFile("multiEdit", filePath, options, async ({ backend }, inner, checked) => {
      const result = await backend.multiEdit?.(inner, edits, checked);
      if (result === undefined) throw unsupported("multiEdit", filePath);
      return result;
    });
  }

  delete(filePath: string, options?: MutationOptions): Promise<DeleteResult> {
    return attemptAsWritten("delete", [filePath], options, async (checked) => {
      const path = pathArgument(filePath);
      refuseFixed(this[TREE_ACCESS], path);
      const mount = this.#table.ownerOf(path);
      const inner = toInner(mount, path);
      // A trailing slash says "directory", and the backend is the one to check it.
      const asked = filePath.endsWith("/") && inner !== "/" ? `${inner}/` : inner;
      const result = await mount.backend.delete?.(asked, checked);
      if (result === undefined) throw unsupported("delete", filePath);
      return outward(mount, result, [inner, asked]);
    });
  }

  move(from: string, to: string, options?: TransferOptions): Promise<TransferResult> {
    return attemptAsWritten("move", [from, to], options, (checked) =>
      relocateRouted(this, this.#table, "move", pathArgument(from), pathArgument(to), checked),
    );
  }

  copy(from: string, to: string, options?: TransferOptions): Promise<TransferResult> {
    return attemptAsWritten("copy", [from, to], options, (checked) =>
      relocateRouted(this, this.#table, "copy", pathArgument(from), pathArgument(to), checked),
    );
  }

  uploadFiles(files: UploadFile[], options?: CallOptions): Promise<FileUploadResponse[]> {
    return uploadRouted(this.#table, files, options);
  }

  downloadFiles(paths: string[], options?: CallOptions): Promise<FileDownloadResponse[]> {
    return downloadRouted(this.#table, paths, options);
  }

  /** Closes every mounted backend that can be closed. Rejects with the first error once all have been asked. */
  async close(): Promise<void> {
    const backends = new Set(this.#table.mounts().map(({ backend }) => backend));
    const closed = await Promise.allSettled(
      [...backends].map(async (backend) => backend.close?.()),
    );
    for (const outcome of closed) if (outcome.status === "rejected") throw outcome.reason;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #onFile<T extends object, O extends CallOptions>(
    method: MethodName,
    filePath: string,
    options: O | undefined,
    task: (mount: Mount, inner: string, options: O) => MaybePromise<T>,
  ): Promise<T | Failure> {
    return attemptAsWritten(method, [filePath], options, async (checked) => {
      const path = filePathArgument(filePath);
      if (this.#table.isStructure(path)) throw new VolumeError("is_directory");
      const mount = this.#table.ownerOf(path);
      const inner = toInner(mount, path);
      return outward(mount, await task(mount, inner, checked), [inner]);
    });
  }
}

function unsupported(method: string, path: unknown): VolumeError {
  return new VolumeError("unsupported", `The backend behind ${quote(path)} has no ${method}.`);
}
