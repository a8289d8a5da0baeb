import { lstatSync, readdirSync, type Dirent, type Stats } from "node:fs";
import { comparePaths, MAX_PATH_BYTES, prefixOf, VolumeError } from "@fs/protocol/author";
import { TEMPORARY, removeIfOld } from "../file/temporary.js";
import type { Directory, Tree } from "../tree/tree.js";

/** A name in a directory that callers may see. */
export interface Name {
  readonly name: string;
  readonly path: string;
  readonly kind: "file" | "directory";
  /** Set when the name is a link that is followed. */
  readonly linked: boolean;
  /** What it is sorted by among its neighbours. */
  readonly key: string;
}

// What no path may hold, and what Node puts for bytes that are no UTF-8: such names cannot be asked for.
// oxlint-disable-next-line no-control-regex
const UNSPEAKABLE = /[\u0000-\u001f\u007f]/;

/**
 * The names in a directory, in the order of the full paths below it: a directory sorts as if it ended in `/`. Leaves out
 * what is no file and no directory, what no path can name, and links unless the tree follows them inside.
 */
export function readNames(tree: Tree, directory: Directory, path: string): Name[] {
  const names: Name[] = [];
  const odd = new Set<string>();
  const prefix = prefixOf(path);
  const long = prefix.length * 3 + 255 * 3 > MAX_PATH_BYTES;
  for (const entry of readdirSync(directory.self, { withFileTypes: true })) {
    const { name } = entry;
    const full = prefix + name;
    if (UNSPEAKABLE.test(name) || name === "~") continue;
    if (TEMPORARY.isOne(name)) {
      removeIfOld(directory.at(name));
      continue;
    }
    if (long && Buffer.byteLength(full) > MAX_PATH_BYTES) continue;
    if (name.includes("\uFFFD") && !isExact(name, odd, directory)) continue;
    const kind = kindOf(entry) ?? linkedKind(tree, entry, full);
    if (kind === undefined) continue;
    const key = kind === "directory" ? `${name}/` : name;
    names.push({ name, path: full, kind, linked: entry.isSymbolicLink(), key });
  }
  return names.toSorted((a, b) => comparePaths(a.key, b.key));
}

/**
 * Whether a name with a replacement character is really spelt so. Names that are no UTF-8 come out the same, and one name
 * must not be listed twice.
 */
function isExact(name: string, seen: Set<string>, directory: Directory): boolean {
  if (seen.has(name) || lookAt(directory, name) === undefined) return false;
  seen.add(name);
  return true;
}

/** What stands at a name now; `undefined` when it is gone. */
export function lookAt(directory: Directory, name: string): Stats | undefined {
  return lstatSync(directory.at(name), { throwIfNoEntry: false });
}

/** What stands at a path, links followed where the tree does; `undefined` when it is missing or out of bounds. */
export function lookThrough(tree: Tree, path: string): Stats | undefined {
  try {
    const place = tree.locate(path);
    const cut = place.lastIndexOf("/");
    const parent = tree.openDirectory(cut <= 0 ? "/" : place.slice(0, cut));
    try {
      return place === "/" ? lstatSync(`${parent.self}/.`) : lookAt(parent, place.slice(cut + 1));
    } finally {
      parent.close();
    }
  } catch (error) {
    if (VolumeError.isInstance(error)) return undefined;
    throw error;
  }
}

function kindOf(entry: Dirent | Stats): "file" | "directory" | undefined {
  if (entry.isFile()) return "file";
  return entry.isDirectory() ? "directory" : undefined;
}

function linkedKind(tree: Tree, entry: Dirent, path: string): "file" | "directory" | undefined {
  if (!tree.followsLinks || !entry.isSymbolicLink()) return undefined;
  const stats = lookThrough(tree, path);
  return stats === undefined ? undefined : kindOf(stats);
}
