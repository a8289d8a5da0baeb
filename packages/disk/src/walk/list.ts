import { type Listing, listingOf, type ListQuery, type VolumeEntry } from "@fs/protocol/author";
import { Pacer } from "../file/pacing.js";
import { TEMPORARY } from "../file/temporary.js";
import { modifiedAtOf } from "../file/version.js";
import { isMissing } from "../tree/open-if-there.js";
import type { Directory, Tree } from "../tree/tree.js";
import { lookAt, lookThrough, readNames, type Name } from "./read-names.js";
import { fileEntry, walkFiles } from "./walk-files.js";

/** Entries after which a listing looks at the clock. */
const BATCH = 128;

/**
 * What lies in or below a directory. Throws `not_found` and `not_directory` for the directory itself; entries that vanish
 * meanwhile are left out. The root counts as there even before its first file.
 */
export function listTree(tree: Tree, path: string, query: ListQuery): Listing {
  return listingOf(() => batchesOf(tree, path, query));
}

async function* batchesOf(
  tree: Tree,
  path: string,
  { deep, glob, signal, onUnreadable }: ListQuery,
): AsyncGenerator<readonly VolumeEntry[]> {
  TEMPORARY.outside(path);
  const pacer = new Pacer(signal);
  const batches = deep
    ? walkFiles(tree, path, { glob, stat: true, onUnreadable })
    : childrenOf(tree, path);
  try {
    for (const batch of batches) {
      if (batch.length > 0) yield batch;
      if (pacer.due) await pacer.rest();
    }
  } catch (error) {
    if (path !== "/" || !isMissing(error)) throw error;
  }
}

function* childrenOf(tree: Tree, path: string): Generator<readonly VolumeEntry[]> {
  const directory = tree.openDirectory(path);
  try {
    let batch: VolumeEntry[] = [];
    for (const name of readNames(tree, directory, path)) {
      const entry =
        name.kind === "file"
          ? fileEntry(tree, directory, name)
          : directoryEntry(tree, directory, name);
      if (entry !== undefined) batch.push(entry);
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  } finally {
    directory.close();
  }
}

function directoryEntry(tree: Tree, directory: Directory, name: Name): VolumeEntry | undefined {
  const stats = name.linked ? lookThrough(tree, name.path) : lookAt(directory, name.name);
  if (stats?.isDirectory() !== true) return undefined;
  return { path: name.path, kind: "directory", modifiedAt: modifiedAtOf(stats) };
}
