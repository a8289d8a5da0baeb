import { mapConcurrently } from "@fs/protocol/async";
import { type VolumeFile, VolumeError } from "@fs/protocol/author";
import { type Layers, STAGED_VERSION } from "./layers.js";
import type { StagedPath } from "./upper-layer.js";

/** Files read at once. */
const WIDTH = 16;

/** A file of the merged tree, by what the upper layer says of its path. */
export async function getStaged(
  { upper, base }: Layers,
  path: string,
  { own, hidden }: StagedPath,
  signal?: AbortSignal,
): Promise<VolumeFile | undefined> {
  if (own?.entry.op === "put") {
    const { after, stamp, stagedAt, createdAt } = own.entry;
    const bytes = await upper.blobs.get(after.hash, signal);
    if (bytes === undefined) throw new VolumeError("unavailable", undefined, { path });
    return { bytes, version: STAGED_VERSION + stamp, modifiedAt: stagedAt, createdAt };
  }
  return own === undefined && hidden === undefined ? base.get(path, signal) : undefined;
}

/** Many files: one call for all entries, and one for each content. */
export async function getManyStaged(
  layers: Layers,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Array<PromiseSettledResult<VolumeFile | undefined>>> {
  const staged = await layers.upper.atMany(paths, signal);
  return mapConcurrently(paths, WIDTH, async (path, index) => {
    const task = getStaged(layers, path, staged[index] ?? {}, signal);
    const [outcome] = await Promise.allSettled([task]);
    return outcome;
  });
}
