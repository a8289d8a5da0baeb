import type { FileStat } from "@fs/protocol";

/** What a path is. */
export interface Kind {
  isFile(): boolean;
  isDirectory(): boolean;
  /** `false`, as the next four: no backend shows links, sockets or devices. */
  isSymbolicLink(): boolean;
  isBlockDevice(): boolean;
  isCharacterDevice(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
}

/** What a listing with `withFileTypes` says of one entry. */
export interface Dirent extends Kind {
  readonly name: string;
  /** The directory that the entry is in. */
  readonly parentPath: string;
}

/** What `stat` answers. A time that the storage does not know is that of the Unix epoch. */
export interface Stats extends Kind {
  /** Bytes; 0 for a directory, and where the storage does not know. */
  readonly size: number;
  /** `0o100644` for a file, `0o40755` for a directory. */
  readonly mode: number;
  readonly atime: Date;
  readonly mtime: Date;
  readonly ctime: Date;
  readonly birthtime: Date;
  readonly atimeMs: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly birthtimeMs: number;
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
