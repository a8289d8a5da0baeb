import { named } from "../relocation/copy-files.js";
import { isCode } from "../errors/certainty.js";
import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import { isWithin } from "../paths/segments.js";
import { type Kind, type Relocation, relocateFiles } from "../relocation/relocate.js";
import { relocateDirectory } from "../relocation/relocate-directory.js";
import type { TransferOptions } from "../types/options.js";
import type { TransferResult } from "../types/results.js";
import { AT_ONCE, type VolumeContext } from "./context.js";
import { refuseCollision, statPath } from "./find.js";
import { volumeEnd } from "./volume-end.js";

/**
 * Moves or copies a file, or a directory with all below it: by the volume at once where it can, else by the engine that
 * relocates between mounts too. Throws `not_found`, `already_exists`, `is_directory`, `not_directory`, `invalid_argument`,
 * `conflict`.
 */
export async function relocate(
  context: VolumeContext,
  kind: Kind,
  from: string,
  to: string,
  options: TransferOptions,
): Promise<TransferResult> {
  if (isWithin(to, from))
    throw new VolumeError("invalid_argument", `${quote(from)} cannot be put at or below itself.`);
  const { volume } = context;
  const { signal, overwrite = false } = options;
  const moves = kind === "move";
  const fileAtOnce = (): Promise<true | undefined> => {
    const hook = moves ? volume.moveFile : volume.copyFile;
    return atDestination(to, () => hook?.call(volume, from, to, { overwrite, signal }));
  };
  const treeAtOnce = (): Promise<number | undefined> => {
    const hook = moves ? volume.moveTree : volume.copyTree;
    return atDestination(to, () => hook?.call(volume, from, to, { signal }));
  };
  // The root always stands, also where a storage has nothing that says so.
  const unseen = volume.relocatesUnseen === true && to !== "/";
  if (unseen && (await fileAtOnce()) === true) return { path: to, files: 1 };
  const source = await statPath(volume, from, { signal });
  if (source === undefined) throw new VolumeError("not_found");
  if (source.kind === "file") {
    // No hook is asked to store a file at the root, which is listed and nothing else.
    if (to === "/") throw new VolumeError("is_directory", undefined, { path: to });
    const fileByFile = async (): Promise<void> => {
      const legs = [{ from, to, size: source.size }];
      const ends = endsOf({ ...context, queue: AT_ONCE, creations: AT_ONCE }, signal);
      await relocateFiles({ kind, overwrite, ...ends, tree: false }, legs);
    };
    const go = async (): Promise<void> => {
      await atDestination(to, () => refuseCollision(volume, to, { signal }));
      // In a row per source, so that of several moves in this process the late ones find nothing and leave nothing.
      if ((await fileAtOnce()) !== true) await context.queue.run(from, fileByFile, signal);
    };
    await context.creations.run([to], go, signal);
    return { path: to, files: 1 };
  }
  const done = unseen ? await unlessStanding(overwrite, treeAtOnce) : undefined;
  if (done !== undefined) return { path: to, files: done };
  const relocation = { kind, overwrite, ...endsOf(context, signal) };
  const goAtOnce = async (): Promise<number | undefined> => {
    await atDestination(to, () => refuseCollision(volume, to, { signal }));
    return treeAtOnce();
  };
  const files = await relocateDirectory(relocation, from, to, () =>
    context.creations.run([`${to}/`], goAtOnce, signal),
  );
  return { path: to, files };
}

function endsOf(
  context: VolumeContext,
  signal: AbortSignal | undefined,
): Pick<Relocation, "source" | "target" | "undo" | "signal"> {
  const end = volumeEnd(context, { signal });
  return { source: end, target: end, undo: volumeEnd(context, {}), signal };
}

/** As the task, with `undefined` where something stands at the destination that the call may overwrite. */
async function unlessStanding(
  overwrite: boolean,
  task: () => Promise<number | undefined>,
): Promise<number | undefined> {
  try {
    return await task();
  } catch (error) {
    if (overwrite && isCode(error, "already_exists")) return undefined;
    throw error;
  }
}

/** Errors of the destination name the destination, not the path of the call. */
async function atDestination<T>(
  to: string,
  task: () => Promise<T> | undefined,
): Promise<T | undefined> {
  try {
    return await task();
  } catch (error) {
    throw named(error, to);
  }
}
