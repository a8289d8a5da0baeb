import type { Unlisted } from "../call/tree-access.js";
import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { isCode } from "../errors/certainty.js";
import { partlyRemoved } from "../errors/partly-removed.js";
import { VolumeError } from "../errors/volume-error.js";
import type { RemoveCondition, Volume, VolumeCall, VolumeEntry } from "../spi/volume.js";
import type { MutationOptions } from "../types/options.js";
import type { DeleteResult } from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { getFile, isDirectory } from "./find.js";
import { visitDirectory } from "./visit-entries.js";

/**
 * Removes a file, or a directory with all below it. Throws `not_found`, `conflict`, `not_directory` for a file written with
 * a trailing slash, `permission_denied` for the root.
 */
export async function removePath(
  context: VolumeContext,
  path: string,
  trailingSlash: boolean,
  options: MutationOptions,
): Promise<DeleteResult> {
  if (path === "/")
    throw new VolumeError("permission_denied", "The root directory cannot be removed.");
  return context.queue.run(
    path,
    async () => {
      if (!trailingSlash && (await removeFile(context.volume, path, options))) return { path };
      const removed = await removeImplicitTree(context.volume, path, options);
      if (removed !== undefined && removed > 0) return { path };
      const wasDirectory =
        removed === undefined && (await isDirectory(context.volume, path, options));
      if (!wasDirectory) {
        const file = trailingSlash && (await getFile(context.volume, path, options)) !== undefined;
        throw new VolumeError(file ? "not_directory" : "not_found");
      }
      if (options.ifVersion !== undefined) throw new VolumeError("is_directory");
      await removeTree(context, path, options);
      return { path };
    },
    options.signal,
  );
}

async function removeFile(
  volume: Volume,
  path: string,
  options: RemoveCondition,
): Promise<boolean> {
  try {
    return await volume.remove(path, options);
  } catch (error) {
    if (VolumeError.isInstance(error) && error.code === "is_directory") return false;
    throw error;
  }
}

/**
 * Removes what lies below a path where that is all that makes a directory, without asking first whether it is one. Returns
 * how much there was, also of what a listing does not show, such as the folder markers of a bucket. `undefined`: it has to be asked.
 */
async function removeImplicitTree(
  volume: Volume,
  path: string,
  options: MutationOptions,
): Promise<number | undefined> {
  if (volume.directories === "real" || options.ifVersion !== undefined) return undefined;
  return volume.removeTree?.(path, options);
}

/** Removes everything below a directory, and the directory itself where directories are real. */
async function removeTree(context: VolumeContext, path: string, call: VolumeCall): Promise<void> {
  const { volume } = context;
  if (volume.removeTree !== undefined) {
    await volume.removeTree(path, call);
    return;
  }
  let files = 0;
  try {
    await removeOneByOne(context, path, call, () => files++);
  } catch (error) {
    throw partlyRemoved(error, files, path);
  }
}

async function removeOneByOne(
  context: VolumeContext,
  path: string,
  call: VolumeCall,
  onRemoved: () => void,
): Promise<void> {
  const { volume, concurrency } = context;
  const deep = volume.directories !== "real";
  const children: VolumeEntry[] = [];
  await visitDirectory(volume, path, { ...call, deep }, (entry) => void children.push(entry));
  await mapConcurrently(children, concurrency, async (child) => {
    if (child.kind === "directory") await removeOneByOne(context, child.path, call, onRemoved);
    else if (await volume.remove(child.path, call)) onRemoved();
  });
  if (!deep) await removeEmptied(volume, path, call);
}

/** Removes a real directory that was emptied, unless another client has put something there since, which stays. */
async function removeEmptied(volume: Volume, path: string, call: VolumeCall): Promise<void> {
  try {
    await volume.remove(path, call);
  } catch (error) {
    if (!isCode(error, "is_directory")) throw error;
    let entries = 0;
    await visitDirectory(volume, path, { ...call, deep: false }, () => void entries++);
    if (entries === 0) throw error;
  }
}

/** Removes a real directory and those below it as far as they are empty. Implicit ones are gone with their last file. */
export async function removeEmptyDirectories(
  volume: Volume,
  path: string,
  call: VolumeCall,
  unlisted: Unlisted = "removed",
): Promise<void> {
  if (volume.directories !== "real") return;
  const directories: string[] = [];
  const isThere = await visitDirectory(volume, path, { ...call, deep: false }, (entry) => {
    if (entry.kind === "directory") directories.push(entry.path);
  });
  // Another client may have put a file there since, which stays.
  if (!isThere) return;
  for (const directory of directories)
    await removeEmptyDirectories(volume, directory, call, unlisted);
  await removeFile(volume, path, { ...call, ifEmpty: unlisted === "kept" });
}
