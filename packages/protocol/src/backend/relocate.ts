import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import { isWithin, joinPath, prefixOf } from "../paths/segments.js";
import type { TransferOptions } from "../types/options.js";
import type { TransferResult } from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { getFile, listOrAbsent, refuseCollision, statPath } from "./find.js";
import { removeTree } from "./remove-path.js";

type Kind = "move" | "copy";

/**
 * Moves or copies a file, or a directory with all below it. A move removes its source only once everything has arrived.
 * Throws `not_found`, `already_exists`, `is_directory`, `not_directory`, `invalid_argument`, `conflict`.
 */
export async function relocate(
  context: VolumeContext,
  kind: Kind,
  from: string,
  to: string,
  options: TransferOptions,
): Promise<TransferResult> {
  if (isWithin(to, from)) {
    throw new VolumeError("invalid_argument", `${quote(from)} cannot be put at or below itself.`);
  }
  const source = await statPath(context.volume, from, options);
  if (source === undefined) throw new VolumeError("not_found");
  if (source.kind === "file") {
    await relocateFile(context, kind, from, to, options);
    return { path: to, files: 1 };
  }
  return { path: to, files: await relocateTree(context, kind, from, to, options) };
}

async function relocateFile(
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
  else await context.queue.run(from, () => moveBytes(context, from, to, options));
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
async function copyBytes(
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

async function relocateTree(
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
  const files = await filesBelow(context, from, options);
  const target = (path: string): string => joinPath(to, path.slice(prefixOf(from).length));
  await copyAll(context, files, target, options);
  if (kind === "move") await removeTree(context, from, options);
  return files.length;
}

async function filesBelow(
  { volume }: VolumeContext,
  from: string,
  options: TransferOptions,
): Promise<string[]> {
  const files: string[] = [];
  const entries = (await listOrAbsent(volume, from, { deep: true, signal: options.signal })) ?? [];
  for await (const entry of entries) if (entry.kind === "file") files.push(entry.path);
  return files;
}

/** Copies many files; when one fails, takes back those that were not there before. */
async function copyAll(
  context: VolumeContext,
  files: readonly string[],
  target: (path: string) => string,
  options: TransferOptions,
): Promise<void> {
  const { volume, concurrency } = context;
  const created: string[] = [];
  try {
    await mapConcurrently(files, concurrency, async (path) => {
      const to = target(path);
      const existed =
        options.overwrite === true && (await getFile(volume, to, options)) !== undefined;
      await copyBytes(context, path, to, options);
      if (!existed) created.push(to);
    });
  } catch (error) {
    await mapConcurrently(created, concurrency, (path) => volume.remove(path, {}));
    throw error;
  }
}

/** Errors of the destination name the destination, not the path of the call. */
async function inOwnWords<T>(
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
