import type { PathGlob } from "@fs/protocol/hooks";
import type { VolumeEntry } from "@fs/protocol/author";
import { modifiedAtOf } from "../file/version.js";
import { isAboutPath, isRefused } from "../tree/refusals.js";
import type { Directory, Tree } from "../tree/tree.js";
import { lookAt, lookThrough, readNames, type Name } from "./read-names.js";

/** Entries after which a walk hands over what it has, so that its caller can let others run. */
const BATCH = 128;

export interface WalkOptions {
  /** Leaves out files that do not match, and directories that hold none that could. */
  readonly glob?: PathGlob | undefined;
  /** Fills in size and time, at a system call per file. */
  readonly stat: boolean;
  /** Called when the system refuses to show a directory. */
  readonly onUnreadable?: (() => void) | undefined;
}

/**
 * Every file at or below a directory, in the order of their paths, in batches (some of them empty, as a chance to pause).
 * What vanishes meanwhile or may not be read is left out, except the directory itself: then it throws.
 */
export function* walkFiles(
  tree: Tree,
  start: string,
  options: WalkOptions,
): Generator<readonly VolumeEntry[]> {
  const linkedPlaces = new Set<string>();
  const stack: Array<{ names: readonly WalkItem[]; next: number }> = [];
  stack.push({ names: yield* itemsIn(tree, start, options), next: 0 });
  let batch: VolumeEntry[] = [];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const item = top.names[top.next++];
    if (item === undefined) {
      stack.pop();
      continue;
    }
    if ("entry" in item) {
      batch.push(item.entry);
    } else {
      if (batch.length > 0) yield batch;
      batch = [];
      stack.push({ names: yield* enter(tree, item, linkedPlaces, options), next: 0 });
    }
    if (batch.length >= BATCH) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

/** A file ready to hand out, or a directory still to be walked. */
type WalkItem = { readonly entry: VolumeEntry } | Name;

function mayEnter(
  tree: Tree,
  { path, linked }: Name,
  linkedPlaces: Set<string>,
  { glob }: WalkOptions,
): boolean {
  if (glob !== undefined && !glob.mayMatchBelow(path)) return false;
  if (!tree.followsLinks) return true;
  // Each place is entered through links once, so that circles end and links to links do not multiply.
  const place = tree.locate(path);
  if (!linked && place === path) return true;
  if (linkedPlaces.has(place) || isAbove(place, path)) return false;
  linkedPlaces.add(place);
  return true;
}

function isAbove(place: string, path: string): boolean {
  return place === "/" || path.startsWith(`${place}/`);
}

function* enter(
  tree: Tree,
  directory: Name,
  linkedPlaces: Set<string>,
  options: WalkOptions,
): Generator<readonly VolumeEntry[], readonly WalkItem[]> {
  try {
    if (!mayEnter(tree, directory, linkedPlaces, options)) return [];
    return yield* itemsIn(tree, directory.path, options);
  } catch (error) {
    if (!isAboutPath(error)) throw error;
    if (isRefused(error)) options.onUnreadable?.();
    return [];
  }
}

function* itemsIn(
  tree: Tree,
  path: string,
  { glob, stat }: WalkOptions,
): Generator<readonly VolumeEntry[], readonly WalkItem[]> {
  const directory = tree.openDirectory(path);
  try {
    const items: WalkItem[] = [];
    let looked = 0;
    for (const name of readNames(tree, directory, path)) {
      if (name.kind === "directory") {
        items.push(name);
        continue;
      }
      if (glob !== undefined && !glob.matches(name.path)) continue;
      const entry = stat ? fileEntry(tree, directory, name) : { path: name.path, kind: name.kind };
      if (entry !== undefined) items.push({ entry });
      if (stat && ++looked % BATCH === 0) yield [];
    }
    return items;
  } finally {
    directory.close();
  }
}

/** A file with size and time; `undefined` when it is gone or no longer a file. */
export function fileEntry(tree: Tree, directory: Directory, name: Name): VolumeEntry | undefined {
  const stats = name.linked ? lookThrough(tree, name.path) : lookAt(directory, name.name);
  if (stats?.isFile() !== true) return undefined;
  return { path: name.path, kind: "file", size: stats.size, modifiedAt: modifiedAtOf(stats) };
}
