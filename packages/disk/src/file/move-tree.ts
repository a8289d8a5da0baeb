import { lstatSync, renameSync } from "node:fs";
import { MAX_PATH_BYTES, VolumeError } from "@fs/protocol/author";
import type { Tree } from "../tree/tree.js";
import { walkFiles } from "../walk/walk-files.js";
import { declineOrThrow } from "./move-file.js";
import { durably } from "./durably.js";
import type { Pacer } from "./pacing.js";
import { atPlace } from "./place.js";
import { locateParent } from "./remove-file.js";

/**
 * Moves a directory at once to where nothing stands. Returns how many files went; `undefined` across devices, and where a
 * file would get a path that is too long.
 */
export async function moveTree(
  tree: Tree,
  from: string,
  to: string,
  { fsync, pacer }: { readonly fsync: boolean; readonly pacer: Pacer },
): Promise<number | undefined> {
  const longest = MAX_PATH_BYTES - (Buffer.byteLength(to) - Buffer.byteLength(from));
  let files = 0;
  for (const batch of walkFiles(tree, from, { stat: false })) {
    files += batch.length;
    if (longest < MAX_PATH_BYTES && batch.some(({ path }) => isLonger(path, longest)))
      return undefined;
    if (pacer.due) await pacer.rest();
  }
  return atPlace(tree, locateParent(tree, from), false, (origin) =>
    atPlace(tree, locateParent(tree, to), { fsync }, async (destination) => {
      if (lstatSync(destination.host, { throwIfNoEntry: false }) !== undefined)
        throw new VolumeError("already_exists", undefined, { path: to });
      return durably([destination.directory, origin.directory], fsync, () => {
        try {
          renameSync(origin.host, destination.host);
          return files;
        } catch (error) {
          return declineOrThrow(error);
        }
      });
    }),
  );
}

/** In bytes; three are the most that a code unit takes. */
function isLonger(path: string, bytes: number): boolean {
  return path.length * 3 > bytes && Buffer.byteLength(path) > bytes;
}
