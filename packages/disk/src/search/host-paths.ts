import { basenameOf, canonicalPath } from "@fs/protocol/author";
import { TEMPORARY } from "../file/temporary.js";
import type { Tree } from "../tree/tree.js";

/** The path on the host of a path of the tree. */
export function hostPath(tree: Tree, path: string): string {
  return path === "/" ? tree.root : (tree.root === "/" ? "" : tree.root) + path;
}

/** The path of what ripgrep found, unless it is one that no listing shows. */
export function virtualPath(tree: Tree, host: string): string | undefined {
  const prefix = tree.root === "/" ? "/" : `${tree.root}/`;
  const path = `/${host.slice(prefix.length)}`;
  if (!host.startsWith(prefix) || TEMPORARY.isOne(basenameOf(path))) return undefined;
  return isCanonical(path) ? path : undefined;
}

function isCanonical(path: string): boolean {
  const canonical = canonicalPath(path);
  return canonical.failure === undefined && canonical.path === path;
}
