import { randomUUID } from "node:crypto";
import { isCode } from "@fs/protocol/author";
import type { PutEntry } from "./entry.js";
import { afterStoring } from "./inner-paths.js";
import { collisionsOf } from "./collisions.js";
import type { Layers } from "./layers.js";
import { frozenOf } from "./tidy-away.js";
import type { Held, StagedPath, UpperLayer } from "./upper-layer.js";

/** A change that is stored, and what it was stored in place of. */
export interface Stored {
  readonly held: Held<PutEntry>;
  readonly previous: StagedPath["own"];
}

/**
 * Looks once more after a change was stored, at what another client may have staged since it was looked at first: the directory of a
 * file of the base may have been removed, and a created file may stand where a directory has come, or below a file. Then the change is
 * taken back, and has to be made again of what is there now. Returns whether it was. No signal ends this: the change is stored, and what
 * became of it is to be known.
 */
export async function takenBack(layers: Layers, { held, previous }: Stored): Promise<boolean> {
  const { upper } = layers;
  const { entry } = held;
  let unseen: boolean;
  try {
    unseen =
      entry.created === true
        ? (await collisionsOf(layers, [entry.path])).size > 0
        : previous === undefined && (await isHidden(upper, entry.path));
  } catch (error) {
    throw afterStoring(error);
  }
  return unseen && (await takeBack(upper, { held, previous }));
}

async function isHidden(upper: UpperLayer, path: string): Promise<boolean> {
  return (await upper.trees()).some(({ entry }) => Object.hasOwn(entry.files, path));
}

/**
 * Takes a change back. It stays, and `false` is returned, where a commit has frozen it, or another client has changed it further: both
 * have seen it. Throws where it is not known whether it stays.
 */
export async function takeBack(upper: UpperLayer, { held, previous }: Stored): Promise<boolean> {
  const { path } = held.entry;
  if ((await frozenOf(upper, [path])).has(path)) return false;
  try {
    if (previous === undefined) await upper.drop(held);
    else await upper.store({ ...previous.entry, stamp: randomUUID() }, held);
    return true;
  } catch (error) {
    if (isCode(error, "conflict", "already_exists", "not_found")) return false;
    throw afterStoring(error);
  }
}
