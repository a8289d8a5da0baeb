import { countArgument, filePathArgument, pathArgument } from "../backend/arguments.js";
import { attempt } from "../backend/attempt.js";
import { failure, quote, type Failure } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import { isWithin } from "../paths/segments.js";
import type {
  CallOptions,
  EditOperation,
  ExecuteOptions,
  GrepOptions,
  MutationOptions,
  TransferOptions,
} from "../types/options.js";
import type { BackendProtocolV2, SandboxBackendProtocolV2 } from "../types/protocol.js";
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
  ResultBase,
  TransferResult,
  WriteResult,
} from "../types/results.js";
import { adaptBackendProtocol, adaptSandboxProtocol } from "../v1/adapt.js";
import { isSandboxProtocol } from "../v1/guards.js";
import type { AnyBackendProtocol } from "../v1/protocol-v1.js";
import { downloadRouted, uploadRouted } from "./batches.js";
import { linkRootsOf } from "../wrap/link-roots.js";
import { transferAcross } from "./cross-route.js";
import { MountTable, toInner, type Mount } from "./mount-table.js";
import { outwardFailure, outwardMutation } from "./rewrite-paths.js";
import { globRouted, grepRouted, listRouted, type SearchContext } from "./search.js";

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
export class CompositeBackend implements BackendProtocolV2 {
  readonly semantics = 1;
  /** The routes as they were given, in that order. */
  readonly routePrefixes: string[];
  /** The default backend's, present only when it can execute. */
  readonly execute?: (command: string, options?: ExecuteOptions) => MaybePromise<ExecuteResponse>;
  /** Where a mounted backend follows symbolic links, see `withPermissions`. */
  readonly linkRoots: readonly string[];
  readonly #table: MountTable;
  readonly #search: SearchContext;
  readonly #default: BackendProtocolV2;

  /** Throws a TypeError for a route that is not absolute, is the root, or comes twice. */
  constructor(
    defaultBackend: AnyBackendProtocol,
    routes: Record<string, AnyBackendProtocol>,
    options: CompositeBackendOptions = {},
  ) {
    const fallback = adaptBackendProtocol(defaultBackend);
    const entries = Object.entries(routes).map(
      ([route, backend]) => [route, adaptBackendProtocol(backend)] as const,
    );
    this.#default = fallback;
    this.routePrefixes = Object.keys(routes);
    this.linkRoots = [["/", fallback] as const, ...entries].flatMap(([prefix, backend]) =>
      linkRootsOf(backend).map((root) => `${prefix.replace(/\/$/, "")}${root}`),
    );
    this.#table = new MountTable(fallback, entries);
    this.#search = { table: this.#table, partial: options.partial ?? false };
    if (isSandboxProtocol(fallback)) {
      const sandbox: SandboxBackendProtocolV2 = adaptSandboxProtocol(fallback);
      this.execute = (command, executeOptions) => sandbox.execute(command, executeOptions);
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
    return isSandboxProtocol(this.#default) ? this.#default.id : "";
  }

  async ls(path?: string, options?: CallOptions): Promise<LsResult> {
    return this.#attempt("ls", path, options, true, async (call) =>
      listRouted(this.#search, pathArgument(path, true), call),
    );
  }

  async glob(pattern: string, path?: string, options?: CallOptions): Promise<GlobResult> {
    return this.#attempt("glob", path ?? "/", options, true, async (call) =>
      globRouted(this.#search, pattern, pathArgument(path, true), call),
    );
  }

  async grep(
    pattern: string,
    path?: string | null,
    glob?: string | null,
    maxCount?: number | null,
    options?: GrepOptions,
  ): Promise<GrepResult> {
    return this.#attempt("grep", path ?? "/", options, true, async (call) => {
      if (maxCount !== undefined && maxCount !== null) countArgument("maxCount", maxCount);
      return grepRouted(this.#search, pattern, pathArgument(path, true), glob, maxCount, call);
    });
  }

  async read(
    filePath: string,
    offset?: number,
    limit?: number,
    options?: CallOptions,
  ): Promise<ReadResult> {
    return this.#onFile("read", filePath, options, true, async ({ backend }, inner) =>
      backend.read(inner, offset, limit, options),
    );
  }

  async readRaw(filePath: string, options?: CallOptions): Promise<ReadRawResult> {
    return this.#onFile("readRaw", filePath, options, true, async ({ backend }, inner) =>
      backend.readRaw(inner, options),
    );
  }

  async write(filePath: string, content: string, options?: MutationOptions): Promise<WriteResult> {
    return this.#onFile("write", filePath, options, false, async (mount, inner) =>
      outwardMutation(mount, await mount.backend.write(inner, content, options), [inner]),
    );
  }

  async edit(
    filePath: string,
    oldString: string,
    newString: string,
    replaceAll?: boolean,
    options?: MutationOptions,
  ): Promise<EditResult> {
    return this.#onFile("edit", filePath, options, false, async (mount, inner) =>
      outwardMutation(
        mount,
        await mount.backend.edit(inner, oldString, newString, replaceAll, options),
        [inner],
      ),
    );
  }

  async multiEdit(
    filePath: string,
    edits: readonly EditOperation[],
    options?: MutationOptions,
  ): Promise<EditResult> {
    return this.#onFile("multiEdit", filePath, options, false, async (mount, inner) => {
      const result = await mount.backend.multiEdit?.(inner, edits, options);
      return result === undefined
        ? unsupported("multiEdit", filePath)
        : outwardMutation(mount, result, [inner]);
    });
  }

  async delete(filePath: string, options?: MutationOptions): Promise<DeleteResult> {
    return this.#attempt("delete", filePath, options, false, async (call) => {
      const path = pathArgument(filePath);
      this.#refuseStructure(path);
      const mount = this.#table.ownerOf(path);
      const inner = toInner(mount, path);
      // A trailing slash says "directory", and the backend is the one to check it.
      const asked = filePath.endsWith("/") && inner !== "/" ? `${inner}/` : inner;
      const result = await mount.backend.delete?.(asked, call);
      return result === undefined
        ? unsupported("delete", filePath)
        : outwardMutation(mount, result, [inner, asked]);
    });
  }

  async move(from: string, to: string, options?: TransferOptions): Promise<TransferResult> {
    return this.#attempt("move", from, options, false, async (call) =>
      this.#relocate("move", from, to, call),
    );
  }

  async copy(from: string, to: string, options?: TransferOptions): Promise<TransferResult> {
    return this.#attempt("copy", from, options, false, async (call) =>
      this.#relocate("copy", from, to, call),
    );
  }

  async uploadFiles(
    files: Array<[string, Uint8Array]>,
    options?: CallOptions,
  ): Promise<FileUploadResponse[]> {
    if (!Array.isArray(files)) return [];
    return uploadRouted(this.#table, files, options ?? {});
  }

  async downloadFiles(paths: string[], options?: CallOptions): Promise<FileDownloadResponse[]> {
    if (!Array.isArray(paths)) return [];
    return downloadRouted(this.#table, paths, options ?? {});
  }

  async #relocate(
    kind: "move" | "copy",
    from: string,
    to: string,
    options: TransferOptions,
  ): Promise<TransferResult> {
    const [source, target] = [pathArgument(from), pathArgument(to)];
    if (kind === "move") this.#refuseStructure(source);
    this.#refuseStructure(target);
    if (isWithin(target, source)) {
      throw new VolumeError(
        "invalid_argument",
        `${quote(source)} cannot be put at or below itself.`,
      );
    }
    const mount = this.#table.ownerOf(source);
    const method = mount.backend[kind];
    const together = this.#table.ownerOf(target) === mount && !this.#table.isStructure(source);
    if (!together || method === undefined)
      return transferAcross(this, kind, source, target, options);
    const inner = [toInner(mount, source), toInner(mount, target)] as const;
    const result = await method.call(mount.backend, inner[0], inner[1], options);
    return outwardMutation(mount, result, inner);
  }

  /** A mount, and a directory that leads to one, is part of the composite and not a file of any backend. */
  #refuseStructure(path: string): void {
    if (path === "/")
      throw new VolumeError(
        "permission_denied",
        "The root directory cannot be removed or replaced.",
      );
    if (!this.#table.isStructure(path)) return;
    throw new VolumeError(
      "permission_denied",
      `${quote(path)} is a mounted route, or holds one, and cannot be removed or replaced.`,
    );
  }

  #onFile<R extends ResultBase>(
    operation: string,
    filePath: string,
    options: CallOptions | undefined,
    readOnly: boolean,
    task: (mount: Mount, inner: string) => Promise<R>,
  ): Promise<R | Failure> {
    return this.#attempt(operation, filePath, options, readOnly, async () => {
      const path = filePathArgument(filePath);
      if (this.#table.isStructure(path)) throw new VolumeError("is_directory");
      const mount = this.#table.ownerOf(path);
      const inner = toInner(mount, path);
      return outwardFailure(mount, await task(mount, inner), [inner]);
    });
  }

  #attempt<T, O extends CallOptions>(
    operation: string,
    path: unknown,
    options: O | undefined,
    readOnly: boolean,
    task: (options: O | CallOptions) => Promise<T>,
  ): Promise<T | Failure> {
    return attempt({ operation, path, readOnly }, options, task);
  }
}

function unsupported(method: string, path: unknown): Failure {
  return failure("unsupported", path, `The backend behind ${quote(path)} has no ${method}.`);
}
