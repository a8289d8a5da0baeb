import { VolumeError } from "../errors/volume-error.js";
import type { TransferOptions } from "../types/options.js";
import type { VolumeContext } from "./context.js";
import { getFile, refuseCollision } from "./find.js";

/** Whether the source goes. */
export type Kind = "move" | "copy";

/** Moves or copies one file: by the volume where it can, else through this process. */
export async function relocateFile(
  context: VolumeContext,
  kind: Kind,
  from: string,
  to: string,
  options: TransferOptions,
): Promise<void> {
  const { volume } = context;
  const { signal, overwrite = false } = options;
  await inOwnWords(to, () => refuseCollision(volume, to, options));
  const how = { overwrite, signal };
  const done = await inOwnWords(to, () =>
    kind === "move" ? volume.moveFile?.(from, to, how) : volume.copyFile?.(from, to, how),
  );
  if (done === true) return;
  if (kind === "copy") await copyBytes(context, from, to, options);
  // In a row per source, so that of several moves in this process the late ones find nothing and leave nothing.
  else await context.queue.run(from, () => moveBytes(context, from, to, options), options.signal);
}

/** Moves one file through this process. What a lost race left at the destination is taken back. */
async function moveBytes(
  context: VolumeContext,
  from: string,
  to: string,
  options: TransferOptions,
): Promise<void> {
  const { volume } = context;
  const replaced = options.overwrite === true ? await getFile(volume, to, options) : undefined;
  const copied = await copyBytes(context, from, to, options);
  try {
    const removed = await volume.remove(from, { ifVersion: copied.source, signal: options.signal });
    if (!removed) throw new VolumeError("conflict");
  } catch (error) {
    const arrived = copied.target === undefined ? {} : { ifVersion: copied.target };
    const undone =
      replaced === undefined ? volume.remove(to, arrived) : volume.put(to, replaced.bytes, arrived);
    // Whoever changed the destination since owns it now; the caller hears why the move failed.
    await Promise.allSettled([undone]);
    throw error;
  }
}

/** Copies one file through this process. Returns the version that was copied, and the one that arrived where it is known. */
export async function copyBytes(
  { volume }: VolumeContext,
  from: string,
  to: string,
  { overwrite = false, signal }: TransferOptions,
): Promise<{ source: string; target: string | undefined }> {
  const file = await getFile(volume, from, { signal });
  if (file === undefined) throw new VolumeError("not_found", undefined, { path: from });
  const stored = await inOwnWords(to, () =>
    volume.put(to, file.bytes, overwrite ? { signal } : { ifAbsent: true, signal }),
  );
  return { source: file.version, target: stored?.version };
}

/** Errors of the destination name the destination, not the path of the call. */
export async function inOwnWords<T>(
  to: string,
  task: () => Promise<T> | undefined,
): Promise<T | undefined> {
  try {
    return await task();
  } catch (error) {
    if (!VolumeError.isInstance(error) || error.path !== undefined || error.detail !== undefined)
      throw error;
    throw new VolumeError(error.code, undefined, { path: to, cause: error.cause });
  }
}
