import { VolumeError } from "../errors/volume-error.js";
import { ancestorsOf } from "../paths/segments.js";
import type { Volume, VolumeCall, VolumeEntry } from "../spi/volume.js";
import { visitDirectory } from "./visit-entries.js";

/** What is at a path: the hook's answer, else what `get` and `list` answer. */
export async function statPath(
  volume: Volume,
  path: string,
  call: VolumeCall,
): Promise<VolumeEntry | undefined> {
  if (path === "/") return { path, kind: "directory" };
  if (volume.stat !== undefined) return volume.stat(path, call);
  const file = await getFile(volume, path, call);
  if (file !== undefined) {
    const { bytes, version, modifiedAt, createdAt } = file;
    return { path, kind: "file", size: bytes.length, modifiedAt, createdAt, version };
  }
  return (await isDirectory(volume, path, call)) ? { path, kind: "directory" } : undefined;
}

/** As `volume.get`, with a directory answered as no file. */
export async function getFile(
  volume: Volume,
  path: string,
  call: VolumeCall,
): ReturnType<Volume["get"]> {
  try {
    return await volume.get(path, call);
  } catch (error) {
    if (VolumeError.isInstance(error) && error.code === "is_directory") return undefined;
    throw error;
  }
}

/** Returns whether a directory is there; `/` always is. */
export async function isDirectory(
  volume: Volume,
  path: string,
  call: VolumeCall,
): Promise<boolean> {
  if (path === "/") return true;
  // A bucket knows a directory by listing it alone; any other storage need not read the children for it.
  if (volume.stat !== undefined && volume.collisions !== "allowed")
    return (await volume.stat(path, call))?.kind === "directory";
  let child = false;
  const query = { ...call, deep: false };
  const listed = await visitDirectory(volume, path, query, () => {
    child = true;
    return false;
  });
  return child || (listed && volume.directories === "real");
}

/** Why a file is not there: `is_directory` or `not_found`, for the path of the call. */
export async function missing(
  volume: Volume,
  path: string,
  call: VolumeCall,
): Promise<VolumeError> {
  return new VolumeError((await isDirectory(volume, path, call)) ? "is_directory" : "not_found");
}

/** Whether the storage leaves it to the backend to refuse collisions. */
export function isChecked({ collisions = "checked" }: Volume): boolean {
  return collisions === "checked";
}

/**
 * Where the storage leaves it to the backend, refuses a file that would stand where a directory is (`is_directory`) or
 * below a file (`not_directory`).
 */
export async function refuseCollision(
  volume: Volume,
  path: string,
  call: VolumeCall,
): Promise<void> {
  const look = await collisionCheckOf(volume, [path], call);
  await look?.(path);
}

/** Refuses a file as {@link refuseCollision} does. */
export type CollisionCheck = (path: string) => Promise<void>;

/**
 * The check of a file or of those of one batch, by one look at all of them and their directories where the volume has one, else by
 * a look at each directory once. `undefined` where the volume itself refuses collisions, or allows them.
 */
export async function collisionCheckOf(
  volume: Volume,
  paths: readonly string[],
  call: VolumeCall,
): Promise<CollisionCheck | undefined> {
  if (!isChecked(volume)) return undefined;
  const named = [...new Set(paths.flatMap((path) => [path, ...ancestorsOf(path)]))];
  const kinds = await volume.kindMany?.(named, call);
  if (kinds !== undefined) {
    const known = new Map(named.map((path, index) => [path, kinds[index]]));
    return async (path) => {
      if (known.get(path) === "directory") throw new VolumeError("is_directory");
      if (ancestorsOf(path).some((ancestor) => known.get(ancestor) === "file"))
        throw new VolumeError("not_directory");
    };
  }
  const looked = new Map<string, Promise<boolean>>();
  const isFile = (path: string): Promise<boolean> => {
    const look =
      looked.get(path) ?? statPath(volume, path, call).then((entry) => entry?.kind === "file");
    looked.set(path, look);
    return look;
  };
  return async (path) => {
    if (await isDirectory(volume, path, call)) throw new VolumeError("is_directory");
    for (const ancestor of ancestorsOf(path))
      if (await isFile(ancestor)) throw new VolumeError("not_directory");
  };
}
