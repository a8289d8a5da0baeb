import { errnoOf, type NodeFilesystem, nodeFilesystem } from "@fs/node";
import { type AnyBackendProtocol, failure } from "@fs/protocol";
import { joinPath, parentOf, resolvePath } from "@fs/protocol/author";
import type { ByteString, FsStat, IFileSystem } from "just-bash";
import { HeldRedirects } from "./held-redirects.js";
import {
  DEVICE,
  direntOf,
  type DirentEntry,
  missing,
  refuseShellPath,
  statOf,
} from "./file-answers.js";
import { bytesOf, type Encoded, encodingOf } from "./encodings.js";
import { storeSeen } from "./store-seen.js";
import { ScriptScopes } from "./script-scopes.js";
import { isShellPath, NULL_DEVICE } from "./shell-paths.js";

/** Milliseconds by which a time may differ from now and still mean now: what `touch` asks for. */
const NOW = 5000;

/** The filesystem of just-bash over any backend. */
export class BashFilesystem implements IFileSystem {
  readonly #scopes = new ScriptScopes();
  readonly #held = new HeldRedirects();
  readonly #node: NodeFilesystem;

  constructor(backend: AnyBackendProtocol) {
    this.#node = nodeFilesystem(backend, { signal: () => this.#scopes.current?.signal });
  }

  /** Runs a script: its calls share a signal, and the empty writes of its redirects are held back until {@link settle}. */
  async inScript<T>(
    command: string,
    signal: AbortSignal | undefined,
    script: () => Promise<T>,
  ): Promise<T> {
    return this.#scopes.run(signal, async () => {
      this.addScript(command);
      return script();
    });
  }

  /** Whether this is called by a script. */
  get isInScript(): boolean {
    return this.#scopes.current !== undefined;
  }

  /** Notes a script that the running one is about to run. */
  addScript(command: string): void {
    this.#scopes.current?.appends.addScript(command);
  }

  /** Runs a task where a backend may do what scripts may not, such as setting timers, once what it could see is stored. */
  async outside<T>(paths: readonly string[], task: () => Promise<T>, isLook = false): Promise<T> {
    const scope = this.#scopes.current;
    return this.#scopes.outside(async () => {
      const held = paths.flatMap((path) => this.#held.touching(path));
      if (held.length > 0 || !isLook) scope?.seen.clear();
      for (const path of held) await this.#release(path);
      return task();
    });
  }

  /** Stores what is held back. Returns what could not be. */
  async settle(): Promise<Error[]> {
    const tasks = this.#held.paths.map((path) => this.outside([path], async () => undefined));
    const settled = await Promise.allSettled(tasks);
    return settled.flatMap((one) => (one.status === "rejected" ? [one.reason as Error] : []));
  }

  async readFile(path: string, options?: Encoded): Promise<string> {
    const text = (await this.#load(path)).toString(encodingOf(options) ?? "utf8");
    // The file may be a script that runs now.
    this.addScript(text);
    return text;
  }

  async readFileBytes(path: string): Promise<ByteString> {
    return (await this.#load(path)).toString("latin1") as unknown as ByteString;
  }

  async readFileBuffer(path: string): Promise<Uint8Array> {
    return this.#load(path);
  }

  async writeFile(path: string, content: string | Uint8Array, options?: Encoded): Promise<void> {
    if (path === NULL_DEVICE) return;
    refuseShellPath("open", path);
    const bytes = bytesOf(content, options);
    const scope = this.#scopes.current;
    if (bytes.length === 0 && scope !== undefined) {
      scope.seen.clear();
      return this.#held.hold(path, "truncate");
    }
    const isRedirect = this.#held.take(path) !== undefined;
    if (isRedirect) scope?.versions.delete(path);
    await this.outside([path], () => storeSeen(this.#node, path, bytes, scope?.versions));
  }

  async appendFile(path: string, content: string | Uint8Array, options?: Encoded): Promise<void> {
    if (path === NULL_DEVICE) return;
    refuseShellPath("open", path);
    const bytes = bytesOf(content, options);
    const scope = this.#scopes.current;
    if (bytes.length === 0 && scope !== undefined)
      return this.outside(
        [],
        async () => {
          if (scope.seen.get(path)?.stat?.isFile === true) return;
          scope.seen.clear();
          this.#held.hold(path, "create");
        },
        true,
      );
    const isEmptied = this.#held.take(path) === "truncate";
    await this.outside([path], async () => {
      scope?.versions.delete(path);
      const seen = scope?.appends.take(path);
      await (isEmptied ? this.#node.writeFile(path, bytes) : this.#node.append(path, bytes, seen));
    });
  }

  async exists(path: string): Promise<boolean> {
    return (await this.#find(path)) !== undefined;
  }

  async stat(path: string): Promise<FsStat> {
    return (await this.#find(path)) ?? missing("stat", path);
  }

  async lstat(path: string): Promise<FsStat> {
    return this.stat(path);
  }

  async realpath(path: string): Promise<string> {
    await this.stat(path);
    return path;
  }

  async readdir(path: string): Promise<string[]> {
    return (await this.readdirWithFileTypes(path)).map(({ name }) => name);
  }

  async readdirWithFileTypes(path: string): Promise<DirentEntry[]> {
    if (isShellPath(path)) return missing("scandir", path);
    const entries = await this.outside([path], async () => {
      const listed = await this.#node.list(path);
      const seen = this.#scopes.current?.seen;
      for (const { name, stats } of listed)
        if (stats !== undefined) seen?.add(joinPath(path, name), statOf(stats));
      return listed;
    });
    return entries.map(direntOf).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  async mkdir(path: string, options: { recursive?: boolean } = {}): Promise<void> {
    refuseShellPath("mkdir", path);
    await this.outside([path], () => this.#node.mkdir(path, options));
  }

  async rm(path: string, options: { recursive?: boolean; force?: boolean } = {}): Promise<void> {
    refuseShellPath("rm", path);
    // Without `recursive` just-bash means an empty directory as well, where Node means a file.
    const isDirectory = options.recursive !== true && (await this.#find(path))?.isDirectory;
    await this.outside([path], async () => {
      this.#scopes.current?.versions.clear();
      await (isDirectory === true ? this.#node.rmdir(path) : this.#node.rm(path, options));
      await this.#keepParent(path);
    });
  }

  async cp(from: string, to: string, options: { recursive?: boolean } = {}): Promise<void> {
    refuseShellPath("cp", to);
    await this.outside([from, to], async () => {
      this.#scopes.current?.versions.clear();
      await this.#node.cp(from, to, options);
    });
  }

  async mv(from: string, to: string): Promise<void> {
    for (const path of [from, to]) refuseShellPath("rename", path);
    await this.outside([from, to], async () => {
      this.#scopes.current?.versions.clear();
      await this.#node.rename(from, to);
      await this.#keepParent(from);
    });
  }

  resolvePath(base: string, path: string): string {
    return resolvePath(base, path) || base;
  }

  /** None: a backend cannot list its paths synchronously. just-bash then matches patterns by listing directories. */
  getAllPaths(): string[] {
    return [];
  }

  /** The present time alone: the file is stored again as it is. Any other rejects with EPERM. */
  async utimes(path: string, _atime: Date, mtime: Date): Promise<void> {
    await this.outside([path], async () => {
      if (Math.abs(Date.now() - mtime.getTime()) > NOW) return this.#node.utimes(path);
      const stats = await this.#node.stat(path);
      if (stats.isDirectory() || stats.mtimeMs >= mtime.getTime() - 1) return;
      await this.#node.appendFile(path, "");
    });
  }

  async chmod(path: string): Promise<void> {
    await this.#refuse(this.#node.chmod, path);
  }

  async symlink(_target: string, path: string): Promise<void> {
    await this.#refuse(this.#node.symlink, path);
  }

  async link(_existing: string, path: string): Promise<void> {
    await this.#refuse(this.#node.link, path);
  }

  async readlink(path: string): Promise<string> {
    return this.outside([path], () => this.#node.readlink(path));
  }

  /** A directory outlives its last file in a shell, and in most storages not: it is then kept as one that was made. */
  async #keepParent(path: string): Promise<void> {
    await this.#node.mkdir(parentOf(path), { recursive: true });
  }

  async #refuse(method: (path: string) => Promise<never>, path: string): Promise<void> {
    await this.outside([path], () => method(path));
  }

  async #load(path: string): Promise<Buffer> {
    if (path === NULL_DEVICE) return Buffer.alloc(0);
    if (isShellPath(path)) return missing("open", path);
    return this.outside([path], async () => {
      const { bytes, version } = await this.#node.load(path);
      if (version !== undefined) this.#scopes.current?.versions.set(path, version);
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    });
  }

  async #find(path: string): Promise<FsStat | undefined> {
    if (path === NULL_DEVICE) return DEVICE;
    if (isShellPath(path)) return undefined;
    const scope = this.#scopes.current;
    const find = async (): Promise<FsStat | undefined> => {
      const seen = scope?.seen.get(path);
      if (seen !== undefined) return seen.stat;
      const isAhead = scope?.appends.mayBe(path) === true;
      const looked = isAhead ? await this.#node.look(path) : undefined;
      const stats = looked === undefined ? await this.#node.find(path) : looked.stats;
      const found = stats === undefined ? undefined : statOf(stats);
      scope?.seen.add(path, found);
      if (stats === undefined) scope?.appends.saw(path, failure("not_found", path));
      else if (looked !== undefined) scope?.appends.saw(path, looked.file);
      return found;
    };
    return this.outside([path], find, true);
  }

  async #release(path: string): Promise<void> {
    const held = this.#held.take(path);
    this.#scopes.current?.versions.delete(path);
    if (held === "truncate") await this.#node.writeFile(path, "");
    if (held === "create")
      await this.#node.store(path, new Uint8Array(), { ifAbsent: true }).catch((error: unknown) => {
        if (errnoOf(error) !== "EEXIST") throw error;
      });
  }
}
