import {
  type AnyBackendProtocol,
  adaptBackendProtocol,
  type CallOptions,
  failure,
  type Failure,
  type FileInfo,
  type FileStat,
  type Filesystem,
  type Outcome,
  type UploadCondition,
} from "@fs/protocol";
import { canonicalPath, joinPath, parentOf } from "@fs/protocol/author";
import { KeyedQueue, optionsOf } from "@fs/protocol/async";
import {
  type LoadedFile,
  loadFile,
  resolvePath,
  statOf,
  storeFile,
  updateFile,
} from "@fs/protocol/bridge";
import { bytesOfFileData } from "@fs/protocol/records";
import { errnoError } from "./errno.js";
import { type PathLike, pathText } from "./paths.js";
import { VirtualDirectories } from "./virtual-directories.js";

/** One call as an error names it. */
export interface Target {
  readonly syscall: string;
  /** As the caller wrote it. */
  readonly given: string;
  /** Absolute. */
  readonly path: string;
}

/** The calls on a backend, with virtual directories, that reject with errors of Node. */
export class BackendCalls {
  readonly backend: Filesystem;
  readonly virtual = new VirtualDirectories();
  readonly #cwd: string;
  readonly #signal: () => AbortSignal | undefined;
  /** Spares callers in this process the lost rounds of compare-and-swap. */
  readonly #updates = new KeyedQueue();

  constructor(
    backend: AnyBackendProtocol,
    cwd: string,
    signal: () => AbortSignal | undefined = () => undefined,
  ) {
    this.backend = adaptBackendProtocol(backend);
    this.#cwd = cwd;
    this.#signal = signal;
    // A program expects the directory that it starts in to be there.
    this.virtual.add(cwd);
  }

  /** The options of a call: the caller's, and else the signal of all calls. */
  options(call: CallOptions = {}): CallOptions {
    return optionsOf(call.signal ?? this.#signal());
  }

  target(path: PathLike, syscall: string): Target {
    const given = pathText(path);
    const resolved = resolvePath(this.#cwd, given);
    if (resolved === "") throw errnoError(failure("not_found", given), syscall, given);
    const canonical = canonicalPath(resolved);
    if (canonical.failure !== undefined) throw errnoError(canonical.failure, syscall, given);
    return { syscall, given, path: canonical.path };
  }

  fail({ syscall, given, path }: Target, reason: Failure | Failure["code"], errno?: string): never {
    const failed = typeof reason === "string" ? failure(reason, path) : reason;
    throw errnoError(failed, syscall, given, errno);
  }

  /** The data of an outcome; a failure rejects. */
  data<T extends object>(target: Target, outcome: Outcome<T>): T {
    return outcome.error === undefined ? outcome : this.fail(target, outcome);
  }

  /** What is at a path, or `undefined` where nothing is. */
  async find(target: Target, call?: CallOptions): Promise<FileStat | undefined> {
    const { path } = target;
    if (path === "/") return { path, is_dir: true };
    const found = await statOf(this.backend, path, this.options(call));
    if (found.error === undefined) return found.info;
    if (found.code !== "not_found") this.fail(target, found);
    return this.#madeAt(path);
  }

  #madeAt(path: string): FileStat | undefined {
    const made = this.virtual.madeAt(path)?.toISOString();
    if (made === undefined) return undefined;
    return { path, is_dir: true, modified_at: made, created_at: made };
  }

  /** As {@link find}; rejects with ENOENT where nothing is. */
  async need(target: Target, call?: CallOptions): Promise<FileStat> {
    return (await this.find(target, call)) ?? this.fail(target, "not_found");
  }

  /** What is right in a directory. */
  async list(target: Target): Promise<FileInfo[]> {
    const { path } = target;
    const listed = await this.backend.ls(path, this.options());
    const virtual = this.virtual.namesIn(path);
    if (listed.error !== undefined) {
      const isEmpty = listed.code === "not_found" && (await this.find(target))?.is_dir;
      if (isEmpty !== true) this.fail(target, listed);
    }
    const files = listed.error === undefined ? listed.files : [];
    // An incomplete listing must not look like a complete one.
    if (listed.error === undefined && listed.truncated === true) this.fail(target, "too_large");
    if (listed.error === undefined && listed.warnings !== undefined)
      this.fail(target, "unavailable");
    for (const file of files) virtual.delete(nameOf(file));
    return [
      ...files,
      ...[...virtual].map((name) => ({ path: joinPath(path, name), is_dir: true })),
    ];
  }

  async load(target: Target, call: CallOptions): Promise<LoadedFile> {
    const loaded = await loadFile(this.backend, target.path, this.options(call));
    if (loaded.code === "not_found" && (await this.find(target, call))?.is_dir === true)
      this.fail(target, "is_directory");
    return this.data(target, loaded);
  }

  async store(
    target: Target,
    bytes: Uint8Array,
    condition: UploadCondition,
    call: CallOptions,
  ): Promise<{ version?: string }> {
    return this.#stored(target, () =>
      storeFile(this.backend, target.path, bytes, condition, this.options(call)),
    );
  }

  /** What is at a path, and its content where that is a file, in one call of the backend. */
  async look(target: Target): Promise<{ info: FileStat | undefined; file: Outcome<LoadedFile> }> {
    const { path } = target;
    const raw = await this.backend.readRaw(path, this.options());
    if (raw.error === undefined) {
      const { data, version } = raw;
      const bytes = bytesOfFileData(data);
      const { created_at, modified_at } = data;
      const info = { path, is_dir: false, size: bytes.length, created_at, modified_at };
      return { info, file: { bytes, ...(version === undefined ? {} : { version }) } };
    }
    if (raw.code === "is_directory") return { info: { path, is_dir: true }, file: raw };
    if (raw.code !== "not_found") this.fail(target, raw);
    return { info: this.#madeAt(path), file: raw };
  }

  /** Replaces the content by what `change` makes of it, as often as another caller was faster. */
  async update(
    target: Target,
    change: (file: Uint8Array | undefined) => Uint8Array | Failure,
    call: CallOptions,
    seen?: Outcome<LoadedFile>,
  ): Promise<void> {
    await this.#stored(target, () =>
      this.#updates.run(target.path, () =>
        updateFile(this.backend, target.path, change, this.options(call), seen),
      ),
    );
  }

  async #stored(
    target: Target,
    task: () => Promise<Outcome<{ version?: string }>>,
  ): Promise<{ version?: string }> {
    if (this.virtual.madeAt(target.path) !== undefined) this.fail(target, "is_directory");
    const stored = this.data(target, await task());
    this.virtual.dropAbove(target.path);
    return stored;
  }

  /** Rejects unless a directory can be made or a file be put right below the path's parent. */
  async needParent(target: Target): Promise<void> {
    const parent = await this.find({ ...target, path: parentOf(target.path) });
    if (parent === undefined) this.fail(target, "not_found");
    if (parent.is_dir !== true) this.fail(target, "not_directory");
  }
}

/** The last name of an entry's path. */
export function nameOf({ path }: FileInfo): string {
  const end = path.endsWith("/") ? path.length - 1 : path.length;
  return path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}
