import { outcomeOf } from "../concurrency/outcome-of.js";
import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import { joinPath, prefixOf } from "../paths/segments.js";
import type { FileBelow, Leg } from "./ends.js";
import { type Relocation, relocateFiles } from "./relocate.js";

/**
 * Relocates a directory file by file, unless the storage does it at once. Returns how many files arrived. Throws
 * `already_exists`, and what the enumeration throws, before anything is written; `not_found` where there is no file to copy.
 *
 * @param atOnce Relocates the whole directory to where nothing is; `undefined` declines.
 */
export async function relocateDirectory(
  relocation: Omit<Relocation, "tree">,
  from: string,
  to: string,
  atOnce: () => Promise<number | undefined> = async () => undefined,
): Promise<number> {
  const { kind, source, target, undo, overwrite } = relocation;
  const standing = await target.stat(to);
  if (standing?.kind === "file" || (standing !== undefined && !overwrite))
    throw new VolumeError("already_exists", undefined, { path: to });
  const done = standing === undefined ? await atOnce() : undefined;
  if (done !== undefined) return done;
  const legs = legsBetween(await source.filesBelow(from), from, to);
  let arrived: number;
  try {
    arrived = await relocateFiles({ ...relocation, tree: true }, legs);
  } catch (error) {
    if (standing !== undefined) throw error;
    // Nothing stood there: directories that are empty once the copies were taken back are of this call.
    await outcomeOf(() => undo.removeEmpty(to, "kept"));
    throw aboutDestination(error, to);
  }
  if (kind === "copy" && arrived === 0)
    throw new VolumeError("not_found", `${quote(from)} holds no file.`);
  // Every file has moved: an empty directory that is left is no failure of that.
  if (kind === "move") await outcomeOf(() => undo.removeEmpty(from, "kept"));
  return arrived;
}

/**
 * A refusal because a file stands where a directory is needed, about the path of the call: nothing stood there, so the file
 * is above it, and the caller never named what is below (A6).
 */
function aboutDestination(error: unknown, to: string): unknown {
  const above = VolumeError.isInstance(error) && error.code === "not_directory";
  if (!above || error.detail !== undefined) return error;
  return new VolumeError("not_directory", undefined, { path: to, cause: error });
}

/** Where each file below a directory goes. */
export function legsBetween(files: readonly FileBelow[], from: string, to: string): Leg[] {
  const skip = prefixOf(from).length;
  return files.map(({ path, size }) => ({ from: path, to: joinPath(to, path.slice(skip)), size }));
}
