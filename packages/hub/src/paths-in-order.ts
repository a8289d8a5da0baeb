import { comparePaths } from "@fs/protocol/author";
import type { Files } from "./tree.js";

/** The paths of the trees that were listed. A tree never changes: a commit makes another. */
const known = new WeakMap<Files, readonly string[]>();

/** The paths of a tree, in path order. Never of a draft, which changes. */
export function pathsInOrder(files: Files): readonly string[] {
  let paths = known.get(files);
  if (paths === undefined) {
    // Quick after a commit: what it adds follows the sorted paths of the tree before.
    paths = [...files.keys()].toSorted(comparePaths);
    known.set(files, paths);
  }
  return paths;
}
