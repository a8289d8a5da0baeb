import { lstatSync, renameSync, unlinkSync } from "node:fs";
import { VolumeError, partlyRemoved, prefixOf } from "@fs/protocol/author";
import { withLocks } from "../lock/file-lock.js";
import { errnoOf } from "../tree/refusals.js";
import type { Directory, Tree } from "../tree/tree.js";
import { rawNamesIn, type RawName } from "../walk/raw-names.js";
import type { Pacer } from "./pacing.js";
import { durably } from "./durably.js";
import { atPlace, lockKeyOf } from "./place.js";
import { isFile, locateParent, tryRemoveDirectory } from "./remove-file.js";
import { TEMPORARY } from "./temporary.js";

/** Times that a directory is swept because others keep putting what no listing shows there. */
const MAX_TRIES = 100;

/**
 * Removes a directory with all below it, links as links, and names of any bytes. A file that is stored where the removal has
 * been stays, and its directory with it: it was stored afterwards. Returns how many files went. Throws `not_found`, `aborted`,
 * `permission_denied`, `unavailable` for a file that stays locked; once something is gone, the sentence says so.
 */
export async function removeTree(
  tree: Tree,
  path: string,
  { fsync, pacer }: { readonly fsync: boolean; readonly pacer: Pacer },
): Promise<number> {
  const removal = new Removal(tree, pacer);
  const located = locateParent(tree, path);
  try {
    await atPlace(tree, located, false, ({ directory, host }) => {
      // What is behind a link that is followed belongs to another path.
      if (lstatSync(host, { throwIfNoEntry: false })?.isSymbolicLink() === true)
        throw new VolumeError("not_directory");
      return durably([directory], fsync, () => removal.removeBelow(located));
    });
    return removal.files;
  } catch (error) {
    throw partlyRemoved(error, removal.files, path);
  }
}

class Removal {
  /** Files removed so far. */
  files = 0;
  readonly #tree: Tree;
  readonly #pacer: Pacer;

  constructor(tree: Tree, pacer: Pacer) {
    this.#tree = tree;
    this.#pacer = pacer;
  }

  async removeBelow(path: string): Promise<void> {
    await this.#emptyOut(path);
    for (let round = 1; ; round++) {
      const gone = await atPlace(this.#tree, path, false, async ({ host }) =>
        tryRemoveDirectory(host),
      );
      if (gone || (await this.#sweep(path)) === "kept") return;
      if (round === MAX_TRIES) throw new VolumeError("conflict");
      await this.#pacer.rest();
    }
  }

  /** Removes what is there now, each name once: what has it afterwards was stored by a call that saw the removal. */
  async #emptyOut(path: string): Promise<void> {
    const subdirectories: string[] = [];
    const directory = this.#tree.openDirectory(path);
    try {
      for (const name of rawNamesIn(directory)) {
        if (name.entry.isDirectory()) subdirectories.push(reachableName(directory, name));
        else await this.#removeLocked(directory, name);
        if (this.#pacer.due) await this.#pacer.rest();
      }
    } finally {
      directory.close();
    }
    for (const name of subdirectories)
      await unlessChanged(() => this.removeBelow(prefixOf(path) + name));
  }

  /**
   * Removes what no listing shows from a directory that was emptied, as what others have half written, and directories that hold
   * nothing else. `"kept"` where a file has been stored since.
   */
  async #sweep(path: string): Promise<"kept" | "swept"> {
    const directory = this.#tree.openDirectory(path);
    const subdirectories: string[] = [];
    try {
      for (const name of rawNamesIn(directory)) {
        if (name.entry.isDirectory()) {
          // Nothing that this removal has seen: one that no path can name belongs to another program.
          if (name.text === undefined) return "kept";
          subdirectories.push(name.text);
        } else if (isFile(name)) return "kept";
        else this.#removeEntry(name);
      }
    } finally {
      directory.close();
    }
    for (const name of subdirectories) {
      const below = prefixOf(path) + name;
      const found = await unlessChanged(async () => {
        await this.#pacer.rest();
        if ((await this.#sweep(below)) === "kept") return "kept";
        await atPlace(this.#tree, below, false, async ({ host }) => tryRemoveDirectory(host));
        return "swept";
      });
      if (found === "kept") return "kept";
    }
    return "swept";
  }

  /** An edit that has found the file under its lock is done before the file goes, and none brings it back. */
  async #removeLocked(directory: Directory, name: RawName): Promise<void> {
    if (name.text === undefined || !isFile(name)) return this.#removeEntry(name);
    const key = lockKeyOf(directory, name.text);
    await withLocks([key], this.#pacer.signal, () => this.#removeEntry(name));
  }

  #removeEntry(name: RawName): void {
    const { host } = name;
    try {
      unlinkSync(host);
      if (isFile(name)) this.files++;
    } catch (error) {
      // Swapped for a directory, or gone.
      const code = errnoOf(error);
      if (code !== "ENOENT" && code !== "EISDIR" && !swappedForDirectory(code, host)) throw error;
    }
  }
}

/** Runs a task on a directory that may be gone by now, or none any more: the next listing of its parent shows it. */
async function unlessChanged<T>(task: () => Promise<T>): Promise<T | undefined> {
  try {
    return await task();
  } catch (error) {
    const changed =
      VolumeError.isInstance(error) &&
      ["not_found", "not_directory", "permission_denied"].includes(error.code);
    if (!changed && errnoOf(error) !== "ENOENT") throw error;
    return undefined;
  }
}

/** Some systems answer EPERM to the removal of a directory as a file; on others it means what it says. */
function swappedForDirectory(code: string | undefined, host: Buffer): boolean {
  return code === "EPERM" && lstatSync(host, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The name of a directory that a path can lead through: of one that is no UTF-8, a new one, which no listing shows either. */
function reachableName(directory: Directory, { host, text }: RawName): string {
  if (text !== undefined) return text;
  const name = TEMPORARY.fresh();
  renameSync(host, directory.at(name));
  return name;
}
