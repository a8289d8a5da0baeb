import type { ErrorCode, Filesystem } from "@fs/protocol";
import {
  type Volume,
  VolumeBackend,
  type VolumeEntry,
  VolumeError,
  type VolumeFile,
} from "@fs/protocol/author";
import { nodeFilesystem, type NodeFilesystem, type Stats } from "@fs/node";

/** What the names of Node mean, written down a second time: a mapping that drifts does not come back as it went. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  ENOENT: "not_found",
  EEXIST: "already_exists",
  ENOTEMPTY: "already_exists",
  EISDIR: "is_directory",
  ENOTDIR: "not_directory",
  EINVAL: "invalid_path",
  EBUSY: "conflict",
  EFBIG: "too_large",
  EACCES: "permission_denied",
  EDQUOT: "quota_exceeded",
  ENOTSUP: "unsupported",
  EIO: "unavailable",
  ETIMEDOUT: "timeout",
  ABORT_ERR: "aborted",
};

async function mapped<T>(task: Promise<T>): Promise<T> {
  try {
    return await task;
  } catch (error) {
    const name = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new VolumeError(CODES[name] ?? "unavailable", undefined, { cause: error });
  }
}

async function unless<T>(codes: readonly ErrorCode[], task: Promise<T>): Promise<T | undefined> {
  try {
    return await mapped(task);
  } catch (error) {
    if (VolumeError.isInstance(error) && codes.includes(error.code)) return undefined;
    throw error;
  }
}

/** How many times content and times may be of two versions before a read gives up. */
const ROUNDS = 100;

/**
 * A volume that knows nothing but the methods of an object like `node:fs/promises`, whose working directory is its root.
 * Real directories are removed and moved whole: Node has no other way to remove one, and a backend none for an empty one.
 */
export function volumeOverNode(
  fs: NodeFilesystem,
  cwd: string,
  directories: NonNullable<Volume["directories"]>,
): Volume {
  const above = cwd === "/" ? "" : cwd;
  const relative = (path: string): string => path.slice(1) || ".";

  function entryOf(path: string, stats: Stats): VolumeEntry {
    return {
      path,
      kind: stats.isDirectory() ? "directory" : "file",
      size: stats.size,
      modifiedAt: stats.mtime.toISOString(),
      createdAt: stats.birthtime.toISOString(),
      version: stats.version,
    };
  }

  async function stat(path: string): Promise<VolumeEntry | undefined> {
    const stats = await unless(["not_found", "not_directory"], fs.stat(relative(path)));
    return stats === undefined ? undefined : entryOf(path, stats);
  }

  async function filesBelow(path: string): Promise<number> {
    const options = { withFileTypes: true, recursive: true } as const;
    const entries = await mapped(fs.readdir(relative(path), options));
    return entries.filter((entry) => entry.isFile()).length;
  }

  const primitives: Volume = {
    directories,
    async get(path, { signal }): Promise<VolumeFile | undefined> {
      for (let round = 0; round < ROUNDS; round++) {
        signal?.throwIfAborted();
        const call = signal === undefined ? {} : { signal };
        const file = await unless(
          ["not_found", "not_directory", "is_directory"],
          fs.load(relative(path), call),
        );
        const entry = file && (await stat(path));
        if (file === undefined || entry === undefined || entry.kind === "directory")
          return undefined;
        // The times belong to the content only if both are of one version.
        if (entry.version !== file.version) continue;
        const { modifiedAt = "", createdAt } = entry;
        return { bytes: file.bytes, version: file.version ?? "", modifiedAt, createdAt };
      }
      throw new VolumeError("conflict");
    },
    async put(path, bytes, { ifAbsent, ifVersion, signal }) {
      const condition = {
        ...(ifAbsent === undefined ? {} : { ifAbsent }),
        ...(ifVersion === undefined ? {} : { ifVersion }),
        ...(signal === undefined ? {} : { signal }),
      };
      return mapped(fs.store(relative(path), bytes, condition));
    },
    async remove(path, { ifVersion }) {
      const condition = ifVersion === undefined ? {} : { ifVersion };
      return (await unless(["not_found"], gone(fs.unlink(relative(path), condition)))) === true;
    },
    async *list(directory, { deep }) {
      const options = { withFileTypes: true, recursive: deep } as const;
      const entries = await mapped(fs.readdir(relative(directory), options));
      for (const { name, parentPath, isDirectory } of entries) {
        const path = `${parentPath.slice(above.length)}/${name}`.replace(/^\/\//, "/");
        if (deep && isDirectory()) continue;
        const entry = await stat(path);
        if (entry !== undefined && !(deep && entry.kind === "directory")) yield entry;
      }
    },
    stat,
  };
  if (directories === "implicit") return primitives;
  return {
    ...primitives,
    async removeTree(path) {
      const files = await filesBelow(path);
      await unless(["not_found"], fs.rm(relative(path), { recursive: true }));
      return files;
    },
    async moveTree(from, to) {
      const files = await filesBelow(from);
      await mapped(fs.rename(relative(from), relative(to)));
      return files;
    },
  };
}

async function gone(task: Promise<void>): Promise<true> {
  await task;
  return true;
}

/** A backend, or a directory of it, as an object of Node, and that turned back into a backend. */
export function overNode(
  backend: Filesystem,
  { cwd = "/", directories = "implicit" }: { cwd?: string; directories?: "implicit" | "real" } = {},
): VolumeBackend {
  return new VolumeBackend(volumeOverNode(nodeFilesystem(backend, { cwd }), cwd, directories));
}

/**
 * Cases that need no second storage in every run: they vary the arguments of methods that are checked above the volume.
 * `FS_TEST_ROUND_TRIP=whole` runs them too.
 */
export const SKIPPED = process.env["FS_TEST_ROUND_TRIP"] === "whole" ? [] : ["matrix/*", "scale/*"];
