import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { VolumeError } from "../errors/volume-error.js";
import { joinPath, prefixOf } from "../paths/segments.js";
import type { TransferOptions } from "../types/options.js";
import type { VolumeContext } from "./context.js";
import { getFile, listOrAbsent, refuseCollision, statPath } from "./find.js";
import { copyBytes, inOwnWords, type Kind } from "./relocate-file.js";
import { removeEmptyDirectories } from "./remove-path.js";

/** One file that has arrived: where it came from, and in which versions. */
interface Arrival {
  readonly from: string;
  readonly to: string;
  readonly source: string;
  readonly target: string | undefined;
  /** True when nothing stood at the destination before. */
  readonly created: boolean;
}

/**
 * Moves or copies a directory: at once where the volume can, else file by file. A move then removes exactly the versions
 * that arrived; what somebody added or changed meanwhile stays. Returns how many files went.
 */
export async function relocateTree(
  context: VolumeContext,
  kind: Kind,
  from: string,
  to: string,
  options: TransferOptions,
): Promise<number> {
  const { volume } = context;
  const standing = await statPath(volume, to, options);
  if (standing?.kind === "file") throw new VolumeError("already_exists", undefined, { path: to });
  if (standing !== undefined && options.overwrite !== true) {
    throw new VolumeError("already_exists", undefined, { path: to });
  }
  await inOwnWords(to, async () => {
    if (standing === undefined) await refuseCollision(volume, to, options);
  });
  if (standing === undefined) {
    const hook = kind === "move" ? volume.moveTree : volume.copyTree;
    const done = await inOwnWords(to, () => hook?.call(volume, from, to, options));
    if (done !== undefined) return done;
  }
  const target = (path: string): string => joinPath(to, path.slice(prefixOf(from).length));
  const arrived = await copyAll(context, await filesBelow(context, from, options), target, options);
  if (kind === "move") {
    await removeSources(context, arrived, options);
    await removeEmptyDirectories(context.volume, from, options);
  }
  return arrived.length;
}

async function filesBelow(
  { volume }: VolumeContext,
  from: string,
  { signal }: TransferOptions,
): Promise<string[]> {
  const files: string[] = [];
  const entries = (await listOrAbsent(volume, from, { deep: true, signal })) ?? [];
  for await (const entry of entries) if (entry.kind === "file") files.push(entry.path);
  return files;
}

/** Copies many files; when one fails, takes back those that were not there before. */
async function copyAll(
  context: VolumeContext,
  files: readonly string[],
  target: (path: string) => string,
  options: TransferOptions,
): Promise<Arrival[]> {
  const { volume, concurrency } = context;
  const arrived: Arrival[] = [];
  try {
    await mapConcurrently(files, concurrency, async (from) => {
      const to = target(from);
      const created =
        options.overwrite !== true || (await getFile(volume, to, options)) === undefined;
      arrived.push({ from, to, created, ...(await copyBytes(context, from, to, options)) });
    });
    return arrived;
  } catch (error) {
    const created = arrived.filter((file) => file.created);
    await mapConcurrently(created, concurrency, ({ to }) => volume.remove(to, {}));
    throw error;
  }
}

/** Removes what arrived from where it was. A file that has changed meanwhile stays, its copy goes, and the call is a `conflict`. */
async function removeSources(
  { volume, concurrency }: VolumeContext,
  arrived: readonly Arrival[],
  { signal }: TransferOptions,
): Promise<void> {
  const changed: string[] = [];
  await mapConcurrently(arrived, concurrency, async ({ from, to, source, target, created }) => {
    try {
      await volume.remove(from, { ifVersion: source, signal });
    } catch (error) {
      if (!VolumeError.isInstance(error) || error.code !== "conflict") throw error;
      changed.push(from);
      if (created) await volume.remove(to, target === undefined ? {} : { ifVersion: target });
    }
  });
  const [first] = changed;
  if (first !== undefined) throw new VolumeError("conflict", undefined, { path: first });
}
