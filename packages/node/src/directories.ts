import type { FileInfo } from "@fs/protocol";
import { joinPath, parentOf } from "@fs/protocol/author";
import { constants } from "node:fs";
import { type BackendCalls, nameOf, type Target } from "./backend-calls.js";
import { errnoOf } from "./errno.js";
import type { PathLike } from "./paths.js";
import { type Dirent, kindOf, type Stats, statsOf } from "./stats.js";

/** The methods that look at paths and make directories. */
export function directoryMethods(calls: BackendCalls) {
  async function stat(path: PathLike): Promise<Stats> {
    return statsOf(await calls.need(calls.target(path, "stat")));
  }

  /** Beyond Node: the stats, or `undefined` where nothing is. */
  async function find(path: PathLike): Promise<Stats | undefined> {
    return stat(path).catch((error: unknown) => {
      if (errnoOf(error) !== "ENOENT" && errnoOf(error) !== "ENOTDIR") throw error;
      return undefined;
    });
  }

  async function access(path: PathLike, mode: number = constants.F_OK): Promise<void> {
    const target = calls.target(path, "access");
    await calls.need(target);
    // Whether a write or a run would be allowed is known only once it is tried.
    if ((mode & (constants.W_OK | constants.X_OK)) !== 0) calls.fail(target, "unsupported");
  }

  async function realpath(path: PathLike): Promise<string> {
    const target = calls.target(path, "realpath");
    await calls.need(target);
    return target.path;
  }

  async function entriesOf(target: Target): Promise<Array<Dirent & { readonly stats?: Stats }>> {
    return (await calls.list(target)).map((file) => {
      const isDirectory = isDirectoryEntry(file);
      const isKnown = isDirectory || (file.size !== undefined && file.modified_at !== undefined);
      const dirent = { ...kindOf(isDirectory), name: nameOf(file), parentPath: target.path };
      return isKnown ? { ...dirent, stats: statsOf({ ...file, is_dir: isDirectory }) } : dirent;
    });
  }

  /** Beyond Node: what is right in a directory, with the stats where the listing has them. */
  const list = async (path: PathLike): ReturnType<typeof entriesOf> =>
    entriesOf(calls.target(path, "scandir"));

  function readdir(
    path: PathLike,
    options?: { withFileTypes?: false; recursive?: boolean },
  ): Promise<string[]>;
  function readdir(
    path: PathLike,
    options: { withFileTypes: true; recursive?: boolean },
  ): Promise<Dirent[]>;
  async function readdir(
    path: PathLike,
    options: { withFileTypes?: boolean; recursive?: boolean } = {},
  ): Promise<string[] | Dirent[]> {
    const target = calls.target(path, "scandir");
    const found = new Map<string, Dirent>();
    const directories = [""];
    // Those that are found on the way are appended.
    for (const directory of directories) {
      const inside = { ...target, path: joinPath(target.path, directory) };
      for (const { stats: _, ...dirent } of await entriesOf(inside)) {
        const relative = directory === "" ? dirent.name : `${directory}/${dirent.name}`;
        found.set(relative, dirent);
        if (options.recursive === true && dirent.isDirectory()) directories.push(relative);
      }
    }
    return options.withFileTypes === true ? [...found.values()] : [...found.keys()].toSorted();
  }

  async function mkdir(
    path: PathLike,
    options: { recursive?: boolean } = {},
  ): Promise<string | undefined> {
    const target = calls.target(path, "mkdir");
    const found = await calls.find(target);
    if (found !== undefined) {
      if (options.recursive === true && found.is_dir === true) return undefined;
      calls.fail(target, "already_exists");
    }
    if (options.recursive !== true) await calls.needParent(target);
    const missing = [target.path];
    for (let parent = parentOf(target.path); parent !== "/"; parent = parentOf(parent)) {
      const above = await calls.find({ ...target, path: parent });
      if (above?.is_dir === true) break;
      if (above !== undefined) calls.fail(target, "not_directory");
      missing.unshift(parent);
    }
    for (const directory of missing) calls.virtual.add(directory);
    return options.recursive === true ? missing[0] : undefined;
  }

  return { stat, lstat: stat, find, access, realpath, list, readdir, mkdir };
}

function isDirectoryEntry(file: FileInfo): boolean {
  return file.is_dir === true || file.path.endsWith("/");
}
