import { bytesOf, type Encoded, encodingOf, type NodeFilesystem, nodeFilesystem } from "@fs/node";
import { type AnyBackendProtocol, failure } from "@fs/protocol";
import { joinPath, parentOf } from "@fs/protocol/author";
import { resolvePath } from "@fs/protocol/bridge";
import type { ByteString, FsStat, IFileSystem } from "just-bash";
import {
  DEVICE,
  direntOf,
  type DirentEntry,
  missing,
  refuseShellPath,
  statOf,
} from "./file-answers.js";
import { ScriptScopes } from "./script-scopes.js";
import { ScriptWrites } from "./script-writes.js";
import { isShellPath, NULL_DEVICE } from "./shell-paths.js";

/** Milliseconds by which a time may differ from now and still mean now: what `touch` asks for. */
const NOW = 5000;

/** The filesystem of just-bash over any backend. */
export class BashFilesystem implements IFileSystem {
  readonly #scopes = new ScriptScopes();
  readonly #node: NodeFilesystem;
  readonly #writes: ScriptWrites;

  constructor(backend: AnyBackendProtocol) {
    this.#node = nodeFilesystem(backend, { signal: () => this.#scopes.current?.signal });
    this.#writes = new ScriptWrites(this.#node, this.#scopes);
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

  /** As {@link ScriptWrites.outside}. */
  async outside<T>(paths: readonly string[], task: () => Promise<T>, isLook = false): Promise<T> {
    return this.#writes.outside(paths, task, isLook);
  }

  /** Stores what is held back. Returns what could not be. */
  async settle(): Promise<Error[]> {
    return this.#writes.settle();
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
    await this.#writes.write(path, bytesOf(content, options));
  }

  async appendFile(path: string, content: string | Uint8Array, options?: Encoded): Promise<void> {
    if (path === NULL_DEVICE) return;
    refuseShellPath("open", path);
    await this.#writes.append(path, bytesOf(content, options));
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
}
