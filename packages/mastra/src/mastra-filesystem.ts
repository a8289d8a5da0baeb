import { randomUUID } from "node:crypto";
import { isUtf8 } from "node:buffer";
import { errnoError, errnoOf, type NodeFilesystem, nodeFilesystem } from "@fs/node";
import { type AnyBackendProtocol, adaptBackendProtocol, type Filesystem } from "@fs/protocol";
import {
  basenameOf,
  canonicalPath,
  checkedConfiguration,
  joinPath,
  parentOf,
} from "@fs/protocol/author";
import { extensionOf } from "@fs/protocol/hooks";
import { resolvePath } from "@fs/protocol/bridge";
import type {
  CopyOptions,
  FileContent,
  FileEntry,
  FilesystemGrepOptions,
  FilesystemGrepResult,
  FileStat,
  ListOptions,
  ReadOptions,
  RemoveOptions,
  WorkspaceFilesystem,
  WriteOptions,
} from "@mastra/core/workspace";
import { ConditionalWrites } from "./conditional-writes.js";
import { type MastraErrors, mastraError } from "./mastra-errors.js";
import { nativeGrep } from "./native-grep.js";
import { SeenVersions } from "./seen-versions.js";

/** Options of {@link mastraFilesystem}. */
export interface MastraFilesystemOptions {
  /** Names the filesystem to Mastra. Default: a random one. */
  readonly id?: string;
  /** The directory of the backend that the workspace sees as its root. Default `/`. */
  readonly rootDir?: string;
  /** Makes Mastra offer no tool that changes anything, and refuses changes. Default `false`. */
  readonly readOnly?: boolean;
}

/**
 * Any backend as the filesystem of a Mastra workspace. A file that was read here is overwritten only in the version that was
 * read, and a write with `expectedMtime` only in the version that had that time when it was seen; else `StaleFileError`.
 *
 * Throws a TypeError for wrong options, and for what is no backend.
 *
 * @param errors The error classes of Mastra: `import * as mastra from "@mastra/core/workspace"`.
 * @example
 * const workspace = new mastra.Workspace({ filesystem: mastraFilesystem(mastra, backend) });
 */
export function mastraFilesystem(
  errors: MastraErrors,
  backend: AnyBackendProtocol,
  options: MastraFilesystemOptions = {},
): WorkspaceFilesystem {
  checkedConfiguration("mastraFilesystem", options, {
    id: "text",
    rootDir: "text",
    readOnly: "flag",
  });
  const root = canonicalPath(options.rootDir ?? "/");
  if (root.failure !== undefined) throw new TypeError(root.failure.error);
  return new BackendFilesystem(errors, backend, root.path, options);
}

class BackendFilesystem implements WorkspaceFilesystem {
  readonly id: string;
  readonly name = "BackendFilesystem";
  readonly provider = "fs-backend";
  readonly readOnly: boolean;
  readonly status = "ready";
  readonly #errors: MastraErrors;
  readonly #backend: Filesystem;
  readonly #node: NodeFilesystem;
  readonly #root: string;
  readonly #seen = new SeenVersions();
  readonly #writes: ConditionalWrites;

  constructor(
    errors: MastraErrors,
    backend: AnyBackendProtocol,
    root: string,
    { id = `fs-backend-${randomUUID()}`, readOnly = false }: MastraFilesystemOptions,
  ) {
    this.id = id;
    this.readOnly = readOnly;
    this.#errors = errors;
    this.#backend = adaptBackendProtocol(backend);
    this.#node = nodeFilesystem(this.#backend);
    this.#root = root;
    this.#writes = new ConditionalWrites(errors, this.#node, this.#seen);
  }

  async readFile(path: string, { encoding }: ReadOptions = {}): Promise<string | Buffer> {
    return this.#doing("readFile", path, async (at) => {
      const { bytes, version } = await this.#node.load(at);
      this.#seen.saw(at, version);
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      // Mastra edits what it gets as a string: bytes that are no text would come back as others.
      const isText = !/^utf-?8$/.test(encoding ?? "") || isUtf8(buffer);
      return encoding === undefined || !isText ? buffer : buffer.toString(encoding);
    });
  }

  async writeFile(path: string, content: FileContent, options: WriteOptions = {}): Promise<void> {
    await this.#changing("writeFile", path, async (at) => {
      const { recursive = true, overwrite = true, expectedMtime } = options;
      if (!recursive && !(await this.#isDirectory(parentOf(at))))
        throw new this.#errors.DirectoryNotFoundError(parentOf(path));
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      await this.#writes.store(at, path, bytes, { overwrite, expectedMtime });
    });
  }

  async appendFile(path: string, content: FileContent): Promise<void> {
    await this.#changing("appendFile", path, async (at) => {
      await this.#node.appendFile(at, content);
      this.#seen.saw(at, undefined);
    });
  }

  async deleteFile(path: string, { recursive, force = false }: RemoveOptions = {}): Promise<void> {
    await this.#changing("deleteFile", path, async (at) => {
      if (recursive === true) await this.#node.rm(at, { recursive, force });
      else
        await this.#node.unlink(at).catch((error: unknown) => {
          if (!force || errnoOf(error) !== "ENOENT") throw error;
        });
      this.#seen.saw(at, undefined);
    });
  }

  async copyFile(from: string, to: string, options: CopyOptions = {}): Promise<void> {
    const { recursive = false, overwrite: force = true } = options;
    await this.#changing("copyFile", from, async (at) => {
      const target = this.#at(to);
      await this.#node.cp(at, target, { recursive, force, errorOnExist: !force });
      this.#seen.saw(target, undefined);
    });
  }

  async moveFile(from: string, to: string, { overwrite = true }: CopyOptions = {}): Promise<void> {
    await this.#changing("moveFile", from, async (at) => {
      const target = this.#at(to);
      if (overwrite) await this.#node.rename(at, target);
      else {
        const moved = await this.#backend.move?.(at, target);
        if (moved === undefined) throw unsupported(from);
        if (moved.error !== undefined) throw errnoError(moved, "rename", from);
      }
      for (const path of [at, target]) this.#seen.saw(path, undefined);
    });
  }

  async mkdir(path: string, { recursive = true }: { recursive?: boolean } = {}): Promise<void> {
    await this.#changing("mkdir", path, async (at) => {
      await this.#node.mkdir(at, { recursive });
    });
  }

  async rmdir(path: string, { recursive, force = false }: RemoveOptions = {}): Promise<void> {
    await this.#changing("rmdir", path, async (at) => {
      const isThere = await this.exists(path);
      if (!isThere && force) return;
      if (isThere && !(await this.#isDirectory(at))) throw new this.#errors.NotDirectoryError(path);
      await (recursive === true ? this.#node.rm(at, { recursive, force }) : this.#node.rmdir(at));
    });
  }

  async readdir(path: string, options: ListOptions = {}): Promise<FileEntry[]> {
    const { extension, recursive = false, maxDepth = 100 } = options;
    const wanted = extension === undefined ? undefined : [extension].flat();
    return this.#doing("readdir", path, async (at) => {
      const entries: FileEntry[] = [];
      const visit = async (directory: string, above: string, depth: number): Promise<void> => {
        for (const entry of await this.#node.list(directory)) {
          const isDirectory = entry.isDirectory();
          const name = above + entry.name;
          const given = extensionOf(entry.name);
          const isWanted = wanted?.some((one) => one === `.${given}` || one === given) ?? true;
          const size = isDirectory || entry.stats === undefined ? {} : { size: entry.stats.size };
          if (isDirectory || isWanted)
            entries.push({ name, type: isDirectory ? "directory" : "file", ...size });
          if (isDirectory && recursive && depth > 0)
            await visit(joinPath(directory, entry.name), `${name}/`, depth - 1);
        }
      };
      await visit(at, "", maxDepth);
      return entries;
    });
  }

  /** Throws `UnsupportedGrepPatternError` for what the backend might find otherwise than Mastra does, which then searches itself. */
  async grep(options: FilesystemGrepOptions): Promise<FilesystemGrepResult[]> {
    return this.#doing("grep", options.path, async (at) => {
      const found = await nativeGrep(this.#backend, at, options);
      if (found === undefined) throw new this.#errors.UnsupportedGrepPatternError(options.pattern);
      return found;
    });
  }

  async exists(path: string): Promise<boolean> {
    return this.#doing("exists", path, async (at) => (await this.#node.find(at)) !== undefined);
  }

  async stat(path: string): Promise<FileStat> {
    return this.#doing("stat", path, async (at) => {
      const stats = await this.#node.stat(at);
      this.#seen.sawTime(at, stats.mtime, stats.version);
      const name = basenameOf(at);
      const type = stats.isDirectory() ? "directory" : "file";
      const { size, birthtime: createdAt, mtime: modifiedAt } = stats;
      return { name, path: resolvePath("/", path).slice(1), type, size, createdAt, modifiedAt };
    });
  }

  #at(path: string): string {
    return joinPath(this.#root, resolvePath("/", path).slice(1));
  }

  async #doing<T>(operation: string, path: string, task: (at: string) => Promise<T>): Promise<T> {
    try {
      return await task(this.#at(path));
    } catch (error) {
      throw error instanceof this.#errors.FilesystemError
        ? error
        : mastraError(this.#errors, error, operation, path);
    }
  }

  async #changing(
    operation: string,
    path: string,
    task: (at: string) => Promise<void>,
  ): Promise<void> {
    if (this.readOnly) throw new this.#errors.WorkspaceReadOnlyError(operation);
    await this.#doing(operation, path, task);
  }

  async #isDirectory(at: string): Promise<boolean> {
    return (await this.#node.find(at))?.isDirectory() === true;
  }
}

function unsupported(path: string): Error {
  const reason = { error: "The backend cannot move files.", code: "unsupported" } as const;
  return errnoError(reason, "rename", path);
}
