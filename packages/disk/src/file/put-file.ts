import { fstatSync, linkSync, lstatSync, renameSync, type BigIntStats } from "node:fs";
import { VolumeError, type PutCondition } from "@fs/protocol/author";
import { withLocks } from "../lock/file-lock.js";
import { errnoOf, requireRegular } from "../tree/refusals.js";
import type { Tree } from "../tree/tree.js";
import { createdAtOf, inheritCreation } from "./creation-times.js";
import { durably } from "./durably.js";
import { atPlace, type Place } from "./place.js";
import { TEMPORARY } from "./temporary.js";
import { versionOf } from "./version.js";
import { writeTemporary, type Content, type TemporaryFile } from "./write-temporary.js";

/** Times that a put starts over because its directory was removed under it. */
const MAX_TRIES = 5;

export interface PutOptions {
  /** Flush the file and its directory before the call answers. */
  readonly fsync: boolean;
  /** The file whose mode a new one gets. */
  readonly like?: BigIntStats | undefined;
}

/**
 * Stores a file whole or not at all: written aside, then linked (a new file) or renamed (a
 * replacement) to its place. Returns the new version. Throws `already_exists`, `conflict`, `is_directory`,
 * `not_directory`, `permission_denied`.
 */
export async function putFile(
  tree: Tree,
  path: string,
  content: Content,
  condition: PutCondition,
  options: PutOptions,
): Promise<{ version: string }> {
  const located = TEMPORARY.outside(tree.locate(path));
  for (let round = 1; ; round++) {
    try {
      const create = condition.ifVersion === undefined && options;
      return await atPlace(tree, located, create, (place) =>
        putAt(place, located, content, condition, options),
      );
    } catch (error) {
      if (VolumeError.isInstance(error))
        throw condition.ifVersion === undefined ? error : asConflict(error);
      if (errnoOf(error) !== "ENOENT" || round === MAX_TRIES) throw error;
    }
  }
}

/** A missing file has no version, so a missing directory is a conflict too. */
function asConflict(error: VolumeError): VolumeError {
  return error.code === "not_found" ? new VolumeError("conflict") : error;
}

async function putAt(
  place: Place,
  path: string,
  content: Content,
  condition: PutCondition,
  options: PutOptions,
): Promise<{ version: string }> {
  // A new file needs no look first: the disk refuses a name that is taken.
  const like = condition.ifAbsent === true ? undefined : examine(place, path, condition);
  const { signal } = condition;
  const file = await writeTemporary(place.directory, content, {
    fsync: options.fsync,
    like: like ?? options.like,
    signal,
  });
  try {
    return await durably([place.directory], options.fsync, async () => {
      if (condition.ifAbsent === true) await giveName(place, path, file, signal);
      else if (like !== undefined || !(await takesFreeName(place, path, file, condition)))
        await replace(place, path, file, condition);
      const stats = fstatSync(file.fd, { bigint: true });
      if (like !== undefined) inheritCreation(stats, createdAtOf(like));
      return { version: versionOf(stats) };
    });
  } finally {
    file.close();
  }
}

/** What stands there now, if that allows the put. */
function examine(place: Place, path: string, condition: PutCondition): BigIntStats | undefined {
  const stats = lstatSync(place.host, { bigint: true, throwIfNoEntry: false });
  if (stats !== undefined) requireRegular(stats, path);
  if (condition.ifAbsent === true && stats !== undefined) throw new VolumeError("already_exists");
  if (condition.ifVersion === undefined) return stats;
  if (stats === undefined || versionOf(stats) !== condition.ifVersion)
    throw new VolumeError("conflict");
  return stats;
}

/** Gives the file its name, unless the name is taken: the disk itself decides between rivals. */
async function giveName(
  place: Place,
  path: string,
  file: TemporaryFile,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    linkSync(file.host, place.host);
    file.drop();
  } catch (error) {
    const code = errnoOf(error);
    if (code === "EEXIST") examine(place, path, { ifAbsent: true });
    if (code === "EEXIST") throw new VolumeError("already_exists");
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS") throw error;
    // A disk without hard links, such as exFAT: the lock decides between rivals that use this package.
    await withLocks([place.lockKey()], signal, () => {
      if (lstatSync(place.host, { throwIfNoEntry: false }) !== undefined)
        throw new VolumeError("already_exists");
      renameSync(file.host, place.host);
      file.settle();
    });
  }
}

/**
 * Gives the file a name that was free a moment ago: without the lock that a replacement needs, and at a third of the cost.
 * Returns false, and has changed nothing, when the name was taken in the meantime.
 */
async function takesFreeName(
  place: Place,
  path: string,
  file: TemporaryFile,
  { ifVersion, signal }: PutCondition,
): Promise<boolean> {
  if (ifVersion !== undefined) return false;
  try {
    await giveName(place, path, file, signal);
    return true;
  } catch (error) {
    if (VolumeError.isInstance(error) && error.code === "already_exists") return false;
    throw error;
  }
}

async function replace(
  place: Place,
  path: string,
  file: TemporaryFile,
  condition: PutCondition,
): Promise<void> {
  await withLocks([place.lockKey()], condition.signal, () => {
    examine(place, path, condition);
    renameSync(file.host, place.host);
    file.settle();
  });
}
