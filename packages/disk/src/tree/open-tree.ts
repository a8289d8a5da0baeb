import { realpathSync, statSync } from "node:fs";
import { dirname, join, basename, resolve } from "node:path";
import { DescriptorTree } from "./descriptor-tree.js";
import { LinkedTree } from "./linked-tree.js";
import { PathTree } from "./path-tree.js";
import { errnoOf } from "./refusals.js";
import type { Containment, Tree } from "./tree.js";

/**
 * The files below a host directory, in the safest way that the platform has. The directory need not exist yet; links in
 * its own path are resolved once, here.
 *
 * @param wanted `"best-effort"` asks for the portable way where the better one would work too, to test it.
 * Throws a TypeError when a file stands there.
 */
export function openTree(directory: string, wanted: Containment = "race-free"): Tree {
  const root = realPathOf(resolve(directory));
  const stats = statSync(root, { throwIfNoEntry: false });
  if (stats !== undefined && !stats.isDirectory())
    throw new TypeError("rootDir is not a directory.");
  const existing = stats === undefined ? existingAncestor(root) : root;
  if (wanted === "race-free" && DescriptorTree.supports(existing)) return new DescriptorTree(root);
  return new PathTree(root);
}

/** What another thread needs to open the same tree. */
export interface TreeDescription {
  readonly root: string;
  readonly containment: Containment;
  readonly followsLinks: boolean;
}

export function describeTree({ root, containment, followsLinks }: Tree): TreeDescription {
  return { root, containment, followsLinks };
}

/** The tree of a description. */
export function buildTree({ root, containment, followsLinks }: TreeDescription): Tree {
  const strict = containment === "race-free" ? new DescriptorTree(root) : new PathTree(root);
  return followsLinks ? new LinkedTree(strict) : strict;
}

function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    return join(realPathOf(dirname(path)), basename(path));
  }
}

function existingAncestor(path: string): string {
  const parent = dirname(path);
  if (parent === path || statSync(parent, { throwIfNoEntry: false }) !== undefined) return parent;
  return existingAncestor(parent);
}
