import { type Dirent, errnoError, type Stats } from "@fs/node";
import { failure } from "@fs/protocol";
import type { FsStat, IFileSystem } from "just-bash";
import { isShellPath } from "./shell-paths.js";

/** No backend keeps modes: whoever may read a file may run it. */
export function statOf(stats: Pick<Stats, "isFile" | "isDirectory" | "size" | "mtime">): FsStat {
  return {
    isFile: stats.isFile(),
    isDirectory: stats.isDirectory(),
    isSymbolicLink: false,
    mode: 0o755,
    size: stats.size,
    mtime: stats.mtime,
  };
}

/** One entry of a listing, as just-bash has it. */
export type DirentEntry = Awaited<
  ReturnType<NonNullable<IFileSystem["readdirWithFileTypes"]>>
>[number];

export function direntOf(entry: Dirent): DirentEntry {
  return {
    name: entry.name,
    isFile: entry.isFile(),
    isDirectory: entry.isDirectory(),
    isSymbolicLink: false,
  };
}

/** What the null device is. */
export const DEVICE: FsStat = {
  isFile: true,
  isDirectory: false,
  isSymbolicLink: false,
  mode: 0o666,
  size: 0,
  mtime: new Date(0),
};

export function missing(syscall: string, path: string): never {
  throw errnoError(failure("not_found", path), syscall, path);
}

export function refuseShellPath(syscall: string, path: string): void {
  if (isShellPath(path)) throw errnoError(failure("permission_denied", path), syscall, path);
}
