import type { ErrorCode } from "@fs/protocol";
import { type Volume, type VolumeEntry, VolumeError, type VolumeFile } from "@fs/protocol/author";
import type { NodeFilesystem, Stats } from "@fs/node";

/** What the names of Node mean, written down a second time: a mapping that drifts does not come back as it went. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  ENOENT: "not_found",
  EEXIST: "already_exists",
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

/** A volume that knows nothing but the methods of an object like `node:fs/promises`. */
export function volumeOverNode(fs: NodeFilesystem): Volume {
  const volume: Volume = {
    async get(path, { signal }): Promise<VolumeFile | undefined> {
      for (;;) {
        const call = signal === undefined ? {} : { signal };
        const file = await unless(
          ["not_found", "not_directory", "is_directory"],
          fs.load(path, call),
        );
        const stats = file && (await unless(["not_found", "not_directory"], fs.stat(path)));
        if (file === undefined || stats === undefined || stats.isDirectory()) return undefined;
        // The times belong to the content only if both are of one version.
        if (stats.version !== file.version) continue;
        const { modifiedAt = "", createdAt } = entryOf(path, stats);
        return { bytes: file.bytes, version: file.version ?? "", modifiedAt, createdAt };
      }
    },
    async put(path, bytes, { ifAbsent, ifVersion, signal }) {
      const condition = {
        ...(ifAbsent === undefined ? {} : { ifAbsent }),
        ...(ifVersion === undefined ? {} : { ifVersion }),
        ...(signal === undefined ? {} : { signal }),
      };
      return mapped(fs.store(path, bytes, condition));
    },
    async remove(path, { ifVersion }) {
      if (ifVersion === undefined)
        return (await unless(["not_found"], gone(fs.unlink(path)))) === true;
      const removed = await unless(["not_found"], gone(fs.unlink(path, { ifVersion })));
      return removed === true;
    },
    async *list(directory, { deep }) {
      const entries = await mapped(fs.readdir(directory, { withFileTypes: true, recursive: deep }));
      for (const entry of entries) {
        const path = `${entry.parentPath === "/" ? "" : entry.parentPath}/${entry.name}`;
        if (deep && entry.isDirectory()) continue;
        const stats = await unless(["not_found", "not_directory"], fs.stat(path));
        if (stats !== undefined && !(deep && stats.isDirectory())) yield entryOf(path, stats);
      }
    },
    async stat(path) {
      const stats = await unless(["not_found", "not_directory"], fs.stat(path));
      return stats === undefined ? undefined : entryOf(path, stats);
    },
  };
  return volume;
}

async function gone(task: Promise<void>): Promise<true> {
  await task;
  return true;
}
