import { lstatSync, rmdirSync, statSync, unlinkSync } from "node:fs";
import { VolumeError, type RemoveCondition } from "@fs/protocol/author";
import { withLocks } from "../lock/file-lock.js";
import { errnoOf, linkRefused } from "../tree/refusals.js";
import type { Tree } from "../tree/tree.js";
import { rawNamesIn, type RawName } from "../walk/raw-names.js";
import { durably } from "./durably.js";
import { atPlace, type Place } from "./place.js";
import { TEMPORARY } from "./temporary.js";
import { versionOf } from "./version.js";

/**
 * Removes a file, a link as such, or a directory that holds no file and no directory; with `ifEmpty` only a directory that holds
 * nothing at all. Returns whether there was one. Throws `is_directory`, `conflict`.
 */
export async function removeFile(
  tree: Tree,
  path: string,
  condition: RemoveCondition,
  fsync: boolean,
): Promise<boolean> {
  try {
    const located = locateParent(tree, path);
    return await atPlace(tree, located, false, (place) =>
      durably([place.directory], fsync, () =>
        withLocks([place.lockKey()], condition.signal, () =>
          removeAt(tree, place, located, condition),
        ),
      ),
    );
  } catch (error) {
    if (!VolumeError.isInstance(error)) throw error;
    if (error.code !== "not_found" && error.code !== "not_directory") throw error;
    if (condition.ifVersion !== undefined) throw new VolumeError("conflict");
    return false;
  }
}

/** The path with the links of its parents followed, but not itself: a link is removed as a link. */
export function locateParent(tree: Tree, path: string): string {
  const cut = path.lastIndexOf("/");
  const parent = tree.locate(cut <= 0 ? "/" : path.slice(0, cut));
  return (parent === "/" ? "" : parent) + path.slice(cut);
}

function removeAt(
  tree: Tree,
  place: Place,
  path: string,
  { ifVersion, ifEmpty }: RemoveCondition,
): boolean {
  const stats = lstatSync(place.host, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) {
    if (ifVersion !== undefined) throw new VolumeError("conflict");
    return false;
  }
  if (stats.isDirectory()) {
    if (ifVersion !== undefined) throw new VolumeError("is_directory");
    if (tryRemoveDirectory(place.host)) return true;
    if (ifEmpty === true) throw new VolumeError("is_directory");
    removeBareDirectory(tree, place, path);
    return true;
  }
  if (ifEmpty === true) return false;
  if (ifVersion !== undefined) {
    if (stats.isSymbolicLink() && !tree.followsLinks) throw linkRefused(path);
    // A link that is followed is seen with the version of the file that it leads to.
    const seen = stats.isSymbolicLink()
      ? statSync(place.host, { bigint: true, throwIfNoEntry: false })
      : stats;
    if (seen === undefined || versionOf(seen) !== ifVersion) throw new VolumeError("conflict");
  }
  unlinkSync(place.host);
  return true;
}

/** Removes a directory with what no listing shows: links, sockets, files half written. */
function removeBareDirectory(tree: Tree, place: Place, path: string): void {
  const directory = tree.openDirectory(path);
  try {
    const names = rawNamesIn(directory);
    if (names.some((name) => name.entry.isDirectory() || isFile(name)))
      throw new VolumeError("is_directory");
    for (const { host } of names) unlinkSync(host);
  } finally {
    directory.close();
  }
  if (!tryRemoveDirectory(place.host)) throw new VolumeError("is_directory");
}

/** A file that no path can name counts too: it belongs to someone, and goes with its directory only when that was asked for. */
export function isFile({ entry, text }: RawName): boolean {
  return entry.isFile() && (text === undefined || !TEMPORARY.isOne(text));
}

/** Returns false for a directory that is not empty. */
export function tryRemoveDirectory(host: string): boolean {
  try {
    rmdirSync(host);
    return true;
  } catch (error) {
    const code = errnoOf(error);
    if (code === "ENOTEMPTY" || code === "EEXIST") return false;
    throw error;
  }
}
