import type { FilesRecord } from "./file-data.js";
import { FileTree } from "./file-tree.js";

const trees = new WeakMap<FilesRecord, FileTree>();

/** The tree of a committed record, built once for as long as the record lives. */
export function treeOf(record: FilesRecord): FileTree {
  let tree = trees.get(record);
  if (tree === undefined) {
    tree = FileTree.of(record);
    trees.set(record, tree);
  }
  return tree;
}

/** Remembers the tree of a record that was made from another's. */
export function rememberTree(record: FilesRecord, tree: FileTree): void {
  trees.set(record, tree);
}
