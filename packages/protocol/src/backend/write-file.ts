import type { PutCondition } from "../spi/volume.js";
import type { MutationOptions } from "../types/options.js";
import type { WriteResult } from "../types/results.js";
import { boundedBytes } from "./arguments.js";
import type { VolumeContext } from "./context.js";
import { refuseCollision } from "./find.js";

/**
 * Stores a text as a new file, or over the old one where the backend overwrites. With `ifVersion` it replaces exactly that
 * version. Throws `already_exists`, `is_directory`, `not_directory`, `conflict`, `too_large`.
 */
export async function writeFile(
  context: VolumeContext,
  path: string,
  content: string,
  options: MutationOptions,
): Promise<WriteResult> {
  const { volume, queue } = context;
  const bytes = boundedBytes(path, content, context.maxFileBytes);
  await queue.run(path, async () => {
    await refuseCollision(volume, path, options);
    await volume.put(path, bytes, condition(context, options));
  }, options.signal);
  return { path };
}

function condition(
  { writeMode }: VolumeContext,
  { ifVersion, signal }: MutationOptions,
): PutCondition {
  if (ifVersion !== undefined) return { ifVersion, signal };
  return writeMode === "create" ? { ifAbsent: true, signal } : { signal };
}
