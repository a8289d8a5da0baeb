import { linkSync, lstatSync, renameSync, unlinkSync } from "node:fs";
import { VolumeError } from "@fs/protocol/author";
import { withLocks } from "../lock/file-lock.js";
import { errnoOf, isAboutPath, requireRegular } from "../tree/refusals.js";
import type { Tree } from "../tree/tree.js";
import { durably } from "./durably.js";
import { atPlace, type Place } from "./place.js";
import { locateParent } from "./remove-file.js";

export interface MoveOptions {
  readonly overwrite: boolean;
  readonly fsync: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Moves one file at once. `undefined` where the disk cannot: across devices, or without hard links. Throws `already_exists`,
 * `not_found`, `is_directory`, `not_directory`.
 */
export async function moveFile(
  tree: Tree,
  from: string,
  to: string,
  options: MoveOptions,
): Promise<true | undefined> {
  const source = locateParent(tree, from);
  const target = options.overwrite ? tree.locate(to) : locateParent(tree, to);
  return atPlace(tree, source, false, (origin) =>
    atPlace(tree, target, options, async (destination) => {
      const keys = [origin.lockKey(), destination.lockKey()];
      const move = options.overwrite ? moveOver : moveBeside;
      const directories = [destination.directory, origin.directory];
      return durably(directories, options.fsync, () =>
        withLocks(keys, options.signal, () => {
          requireFile(origin, from);
          return move(origin, destination, to);
        }),
      );
    }),
  );
}

function requireFile({ host }: Place, path: string): void {
  const stats = lstatSync(host, { throwIfNoEntry: false });
  if (stats === undefined) throw new VolumeError("not_found", undefined, { path });
  requireRegular(stats, path);
}

/** A second name first, then the first one goes: so nothing that stands there is ever replaced. */
function moveBeside(origin: Place, destination: Place): true | undefined {
  try {
    linkSync(origin.host, destination.host);
  } catch (error) {
    if (errnoOf(error) === "EEXIST") throw new VolumeError("already_exists");
    return declineOrThrow(error);
  }
  try {
    unlinkSync(origin.host);
    return true;
  } catch (error) {
    // Refused, as in a directory that may not be changed: the second name, which is ours under the lock, goes again.
    if (isAboutPath(error)) unlinkSync(destination.host);
    throw error;
  }
}

function moveOver(origin: Place, destination: Place, to: string): true | undefined {
  const standing = lstatSync(destination.host, { throwIfNoEntry: false });
  if (standing !== undefined) {
    requireRegular(standing, to);
    const moved = lstatSync(origin.host);
    if (moved.ino === standing.ino && moved.dev === standing.dev) {
      // Two names of one file: a rename would leave both.
      unlinkSync(origin.host);
      return true;
    }
  }
  try {
    renameSync(origin.host, destination.host);
    return true;
  } catch (error) {
    return declineOrThrow(error);
  }
}

/** Passes errors on, except those that say that the disk cannot do it this way. */
export function declineOrThrow(error: unknown): undefined {
  const code = errnoOf(error);
  if (code === "EXDEV" || code === "EPERM" || code === "ENOTSUP" || code === "EMLINK") return;
  throw error;
}
