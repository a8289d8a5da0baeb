import type { ListQuery, VolumeEntry } from "@fs/protocol/volume";
import { Pacer } from "../file/pacing.js";
import { modifiedAtOf } from "../file/version.js";
import type { Directory, Tree } from "../tree/tree.js";
import { lookAt, lookThrough, readNames, type Name } from "./read-names.js";
import { fileEntry, walkFiles } from "./walk-files.js";

/**
 * What lies in or below a directory. Throws `not_found` and `not_directory` for the directory itself; entries that vanish
 * meanwhile are left out.
 */
export async function* listTree(
  tree: Tree,
  path: string,
  { deep, glob, signal }: ListQuery,
): AsyncGenerator<VolumeEntry> {
  const pacer = new Pacer(signal);
  if (!deep) {
    yield* listChildren(tree, path, pacer);
    return;
  }
  for (const batch of walkFiles(tree, path, { glob, stat: true })) {
    yield* batch;
    if (pacer.due) await pacer.rest();
  }
}

async function* listChildren(tree: Tree, path: string, pacer: Pacer): AsyncGenerator<VolumeEntry> {
  const directory = tree.openDirectory(path);
  try {
    for (const name of readNames(tree, directory, path)) {
      const entry =
        name.kind === "file"
          ? fileEntry(tree, directory, name)
          : directoryEntry(tree, directory, name);
      if (entry !== undefined) yield entry;
      if (pacer.due) await pacer.rest();
    }
  } finally {
    directory.close();
  }
}

function directoryEntry(tree: Tree, directory: Directory, name: Name): VolumeEntry | undefined {
  const stats = name.linked ? lookThrough(tree, name.path) : lookAt(directory, name.name);
  if (stats?.isDirectory() !== true) return undefined;
  return { path: name.path, kind: "directory", modifiedAt: modifiedAtOf(stats) };
}
