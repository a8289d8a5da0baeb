import { VolumeError } from "@fs/protocol/author";
import type { Held, UpperLayer } from "./upper-layer.js";

/**
 * Takes an entry away that was stored in place of another and says nothing that the base does not. It stays where a commit has
 * frozen its path: that commit may change the base yet, and moves the entry on to what it did. A commit that freezes later
 * reads the entries once more, so it finds either this entry or none. Returns whether it went.
 */
export async function tidyAway(
  upper: UpperLayer,
  held: Held,
  frozen: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<boolean> {
  if (frozen.has(held.entry.path)) return false;
  try {
    await upper.drop(held, signal);
    return true;
  } catch (error) {
    // What stays is right as well, and the next commit takes it away.
    if (VolumeError.isInstance(error)) return false;
    throw error;
  }
}

/** As {@link UpperLayer.frozen}; where that is not known, everything that is asked for may be frozen. */
export async function frozenOf(
  upper: UpperLayer,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  try {
    return await upper.frozen(signal);
  } catch (error) {
    if (VolumeError.isInstance(error)) return new Set(paths);
    throw error;
  }
}
