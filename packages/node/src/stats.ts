import type { FileStat } from "@fs/protocol";
import type { Stats as NodeStats } from "node:fs";

/** The methods of Node that say what a path is: a file or a directory, and nothing else, as no backend shows links. */
export type Kind = Pick<
  NodeStats,
  | "isFile"
  | "isDirectory"
  | "isSymbolicLink"
  | "isBlockDevice"
  | "isCharacterDevice"
  | "isFIFO"
  | "isSocket"
>;

/** What a listing with `withFileTypes` says of one entry: its name and the directory that it is in. */
export interface Dirent extends Kind {
  readonly name: string;
  readonly parentPath: string;
}

type Times = "atime" | "mtime" | "ctime" | "birthtime";

/**
 * What `stat` answers, as Node does: `size` is 0 for a directory, and where the storage does not know; `mode` is `0o100644`
 * or `0o40755`; a time that the storage does not know is that of the Unix epoch.
 */
export interface Stats
  extends Kind, Readonly<Pick<NodeStats, "size" | "mode" | Times | `${Times}Ms`>> {
  /** The file's version, for `ifVersion`; absent where the storage has none. */
  readonly version?: string;
}

const no = (): boolean => false;

/** The methods of Node that say what a path is. */
export function kindOf(isDirectory: boolean): Kind {
  return {
    isFile: () => !isDirectory,
    isDirectory: () => isDirectory,
    isSymbolicLink: no,
    isBlockDevice: no,
    isCharacterDevice: no,
    isFIFO: no,
    isSocket: no,
  };
}

/** What a backend says of a path, as Node says it. */
export function statsOf(info: FileStat): Stats {
  const isDirectory = info.is_dir === true;
  const mtime = new Date(info.modified_at ?? 0);
  const birthtime = new Date(info.created_at ?? mtime);
  const [mtimeMs, birthtimeMs] = [mtime.getTime(), birthtime.getTime()];
  return {
    ...kindOf(isDirectory),
    size: info.size ?? 0,
    mode: isDirectory ? 0o40755 : 0o100644,
    atime: mtime,
    mtime,
    ctime: mtime,
    birthtime,
    atimeMs: mtimeMs,
    mtimeMs,
    ctimeMs: mtimeMs,
    birthtimeMs,
    ...(info.version === undefined ? {} : { version: info.version }),
  };
}
