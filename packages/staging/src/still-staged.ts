import type { Change } from "@fs/changes";
import { standsOn } from "./entry.js";
import type { Layers } from "./layers.js";
import type { Overlay } from "./upper-layer.js";

/** The paths of those changes that are staged as they were frozen. */
export async function stillStaged(
  { upper }: Layers,
  changes: readonly Change[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (changes.length === 0) return new Set();
  const overlay = await upper.below("/", signal);
  const staged = changes.filter((change) => isStaged(change, overlay));
  return new Set(staged.map(({ path }) => path));
}

function isStaged({ path, before, after }: Change, { puts, gone }: Overlay): boolean {
  if (after === null) {
    const side = gone.get(path);
    return side !== undefined && standsOn(side, before);
  }
  const put = puts.get(path)?.entry;
  return put?.after.hash === after.hash && standsOn(put?.base ?? null, before);
}
