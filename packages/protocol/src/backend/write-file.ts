import type { PutCondition, VolumePut } from "../spi/volume.js";
import type { WriteOptions } from "../types/options.js";
import type { WriteResult } from "../types/results.js";
import { boundedBytes } from "../call/arguments.js";
import type { VolumeContext } from "./context.js";
import { refuseCollision } from "./find.js";

/**
 * Stores a text as a new file, or over the old one where the backend overwrites. With `ifVersion` it replaces exactly that
 * version, and with `ifAbsent` it only creates. Throws `already_exists`, `is_directory`, `not_directory`, `conflict`, `too_large`.
 */
export async function writeFile(
  context: VolumeContext,
  path: string,
  content: string,
  options: WriteOptions,
): Promise<WriteResult> {
  const { volume, queue, creations } = context;
  const bytes = boundedBytes(path, content, context.maxFileBytes);
  const { signal } = options;
  const store = async (): Promise<VolumePut> => {
    await refuseCollision(volume, path, options);
    return volume.put(path, bytes, condition(context, options));
  };
  const stored = await creations.run([path], () => queue.run(path, store, signal), signal);
  return { path, ...storedFacts(stored?.version, bytes.length) };
}

function condition(
  { writeMode }: VolumeContext,
  { ifVersion, ifAbsent, signal }: WriteOptions,
): PutCondition {
  if (ifVersion !== undefined) return { ifVersion, signal };
  return ifAbsent === true || writeMode === "create" ? { ifAbsent: true, signal } : { signal };
}

/** What a change reports of the file it stored. */
export function storedFacts(
  version: string | undefined,
  size: number | undefined,
): { version?: string; size?: number } {
  return {
    ...(version === undefined ? {} : { version }),
    ...(size === undefined ? {} : { size }),
  };
}
