import { lstatSync, renameSync, unlinkSync } from "node:fs";
import { VolumeError, partlyRemoved, prefixOf } from "@fs/protocol/author";
import { errnoOf } from "../tree/refusals.js";
import type { Directory, Tree } from "../tree/tree.js";
import { rawNamesIn, type RawName } from "../walk/raw-names.js";
import type { Pacer } from "./pacing.js";
import { durably } from "./durably.js";
import { atPlace } from "./place.js";
import { locateParent, tryRemoveDirectory } from "./remove-file.js";
import { TEMPORARY } from "./temporary.js";

/** Times that a directory is emptied again because somebody else keeps filling it. */
const MAX_TRIES = 100;

/**
 * Removes a directory with all below it, links as links, and names of any bytes. Returns how many files went. Throws
 * `not_found`, `aborted`, `permission_denied`; once something is gone, the sentence says so.
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
    for (let round = 1; ; round++) {
      await this.#emptyOut(path);
      const gone = await atPlace(this.#tree, path, false, async ({ host }) =>
        tryRemoveDirectory(host),
      );
      if (gone) return;
      if (round === MAX_TRIES) throw new VolumeError("conflict");
      await this.#pacer.rest();
    }
  }

  async #emptyOut(path: string): Promise<void> {
    const subdirectories: string[] = [];
    const directory = this.#tree.openDirectory(path);
    try {
      for (const name of rawNamesIn(directory)) {
        if (name.entry.isDirectory()) subdirectories.push(reachableName(directory, name));
        else this.#removeEntry(name);
        if (this.#pacer.due) await this.#pacer.rest();
      }
    } finally {
      directory.close();
    }
    for (const name of subdirectories) {
      try {
        await this.removeBelow(prefixOf(path) + name);
      } catch (error) {
        // Gone, or no directory any more: the next listing of the parent shows it.
        const changed =
          VolumeError.isInstance(error) &&
          ["not_found", "not_directory", "permission_denied"].includes(error.code);
        if (!changed && errnoOf(error) !== "ENOENT") throw error;
      }
    }
  }

  #removeEntry({ entry, host, text }: RawName): void {
    try {
      unlinkSync(host);
      if (entry.isFile() && (text === undefined || !TEMPORARY.isOne(text))) this.files++;
    } catch (error) {
      // Swapped for a directory, or gone.
      const code = errnoOf(error);
      if (code !== "ENOENT" && code !== "EISDIR" && !swappedForDirectory(code, host)) throw error;
    }
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
