import { createHash } from "node:crypto";
import type { FileAccess } from "@fs/changes";
import type { AnyBackendProtocol } from "@fs/protocol";
import { type KeyedQueue, outcomeOf } from "@fs/protocol/async";
import { isCode, type Volume, VolumeBackend, VolumeError } from "@fs/protocol/author";
import { BASE_VERSION, BaseLayer } from "../src/base-layer.js";
import { collisionsOf } from "../src/collisions.js";
import { afterStoring } from "../src/inner-paths.js";
import type { Layers } from "../src/layers.js";
import { stagingVolume } from "../src/staging-volume.js";
import { UpperLayer } from "../src/upper-layer.js";

/** Half of all paths, the same in every run. */
export function inBase(path: string): boolean {
  return (createHash("sha1").update(path).digest()[0] ?? 0) % 2 === 0;
}

/**
 * Stores a file in the base, whatever is there, or `only` where nothing is. The base knows nothing of what is staged. One that is
 * created is therefore looked at once it is stored, as a staged one is, and taken back where a staged file is above or below it: of two
 * clients that meet, the one that stored last finds what the other did. One that is replaced was there for all to see.
 */
async function create(
  layers: Layers,
  path: string,
  bytes: Uint8Array,
  only: boolean,
): ReturnType<FileAccess["put"]> {
  const { files } = layers.base;
  const created = await outcomeOf(() => files.put(path, bytes, { ifAbsent: true }));
  if (created.status === "rejected") {
    if (only || !isCode(created.reason, "already_exists")) throw created.reason;
    return files.put(path, bytes, {});
  }
  const looked = await outcomeOf(() => collisionsOf(layers, [path]));
  if (looked.status === "rejected") throw afterStoring(looked.reason);
  const collision = looked.value.get(path);
  if (collision === undefined) return created.value;
  await files.remove(path, created.value.version);
  throw new VolumeError(collision);
}

/**
 * Staging in which half of the files are created and changed in the base at once, as if somebody else had put them there,
 * so that every directory is split between the layers.
 *
 * @param turns Of the changes of one path, shared by all clients: whoever looks whether something is staged, and then changes the
 * base, must not meet another who stages something meanwhile.
 */
export function splitStaging(
  source: AnyBackendProtocol,
  upperSource: AnyBackendProtocol,
  turns: KeyedQueue,
): VolumeBackend {
  const layers = { upper: new UpperLayer(upperSource), base: new BaseLayer(source) };
  // Batches too are split file by file.
  const { putMany: _, ...volume } = stagingVolume(layers);
  const putSplit: Volume["put"] = async (path, bytes, condition) => {
    const { own, hidden } = await layers.upper.at(path);
    if (own !== undefined || hidden !== undefined || !inBase(path))
      return volume.put(path, bytes, condition);
    const { ifVersion, ifAbsent } = condition;
    if (ifVersion !== undefined && !ifVersion.startsWith(BASE_VERSION))
      throw new VolumeError("conflict");
    const replaced = ifVersion?.slice(BASE_VERSION.length);
    try {
      const { version } =
        replaced === undefined
          ? await create(layers, path, bytes, ifAbsent === true)
          : await layers.base.files.put(path, bytes, { ifVersion: replaced });
      return version === undefined ? {} : { version: BASE_VERSION + version };
    } catch (error) {
      // In its way in the base are files that are removed in the upper layer, or what was staged meanwhile: staging knows which.
      if (isCode(error, "is_directory", "not_directory")) return volume.put(path, bytes, condition);
      // The base knows the path as it was asked for it, which is not as the caller wrote it.
      if (isCode(error, "already_exists")) throw new VolumeError("already_exists");
      throw error;
    }
  };
  return new VolumeBackend({
    ...volume,
    put: (path, bytes, condition) =>
      turns.run(path, async () => putSplit(path, bytes, condition), condition.signal),
    remove: (path, condition) =>
      turns.run(path, async () => volume.remove(path, condition), condition.signal),
  });
}
