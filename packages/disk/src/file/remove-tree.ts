import { readdirSync, unlinkSync, type Dirent } from "node:fs";
import { VolumeError, prefixOf } from "@fs/protocol/author";
import { errnoOf } from "../tree/refusals.js";
import type { Directory, Tree } from "../tree/tree.js";
import type { Pacer } from "./pacing.js";
import { locateParent, tryRemoveDirectory } from "./remove-file.js";
import { atPlace } from "./place.js";
import { isTemporaryName } from "./temporary.js";

/** Times that a directory is emptied again because somebody else keeps filling it. */
const MAX_TRIES = 100;

/** Removes a directory with all below it, links as links. Returns how many files went. Throws `not_found`, `aborted`. */
export async function removeTree(tree: Tree, path: string, pacer: Pacer): Promise<number> {
  return removeBelow(tree, locateParent(tree, path), pacer);
}

async function removeBelow(tree: Tree, path: string, pacer: Pacer): Promise<number> {
  let files = 0;
  for (let round = 1; ; round++) {
    files += await emptyOut(tree, path, pacer);
    const gone = await atPlace(tree, path, false, async ({ host }) => tryRemoveDirectory(host));
    if (gone) return files;
    if (round === MAX_TRIES) throw new VolumeError("conflict");
    await pacer.rest();
  }
}

async function emptyOut(tree: Tree, path: string, pacer: Pacer): Promise<number> {
  const subdirectories: string[] = [];
  const directory = tree.openDirectory(path);
  let files = 0;
  try {
    for (const entry of readdirSync(directory.self, { withFileTypes: true })) {
      if (entry.isDirectory()) subdirectories.push(entry.name);
      else files += removeEntry(directory, entry);
      if (pacer.due) await pacer.rest();
    }
  } finally {
    directory.close();
  }
  for (const name of subdirectories) {
    try {
      files += await removeBelow(tree, prefixOf(path) + name, pacer);
    } catch (error) {
      // Gone, or no directory any more: the next look at the parent tells.
      const changed =
        VolumeError.isInstance(error) &&
        ["not_found", "not_directory", "permission_denied"].includes(error.code);
      if (!changed && errnoOf(error) !== "ENOENT") throw error;
    }
  }
  return files;
}

function removeEntry(directory: Directory, entry: Dirent): number {
  try {
    unlinkSync(directory.at(entry.name));
    return entry.isFile() && !isTemporaryName(entry.name) ? 1 : 0;
  } catch (error) {
    // Swapped for a directory, or gone.
    const code = errnoOf(error);
    if (code !== "ENOENT" && code !== "EISDIR" && code !== "EPERM") throw error;
    return 0;
  }
}
