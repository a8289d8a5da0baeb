import { createHash } from "node:crypto";
import type { AnyBackendProtocol } from "@fs/protocol";
import type { KeyedQueue } from "@fs/protocol/async";
import { isCode, type Volume, VolumeBackend, VolumeError } from "@fs/protocol/author";
import { BASE_VERSION, BaseLayer } from "../src/base-layer.js";
import { stagingVolume } from "../src/staging-volume.js";
import { UpperLayer } from "../src/upper-layer.js";

/** Half of all paths, the same in every run. */
function inBase(path: string): boolean {
  return (createHash("sha1").update(path).digest()[0] ?? 0) % 2 === 0;
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
    try {
      const { version } = await layers.base.files.put(path, bytes, {
        ...(ifAbsent === true && { ifAbsent }),
        ...(ifVersion !== undefined && { ifVersion: ifVersion.slice(BASE_VERSION.length) }),
      });
      return version === undefined ? {} : { version: BASE_VERSION + version };
    } catch (error) {
      // Files that are removed in the upper layer are in the way of it in the base.
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
