import { ancestorsOf } from "@fs/protocol/author";
import type { PutEntry } from "./entry.js";
import type { Layers } from "./layers.js";
import { isEmptied } from "./merged-list.js";
import type { Held, StagedPath, UpperLayer } from "./upper-layer.js";

/** Why a file cannot be where it is. */
export type Collision = "is_directory" | "not_directory";

/**
 * Those of these staged files that stand where a directory of the merged tree is, or below one of its files. It is looked at once they
 * are stored: of two clients that meet, the one that stored last finds what the other did. The base comes last, as in a listing.
 */
export async function collisionsOf(
  layers: Layers,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Collision>> {
  if (paths.length === 0) return new Map();
  const overlay = await layers.upper.around(paths, signal);
  const above = new Set(paths.flatMap(ancestorsOf));
  const inBase = await layers.base.kinds([...above, ...paths], signal);
  const staged = new Set([...overlay.puts.keys()].flatMap(ancestorsOf));
  const isFile = (path: string): boolean =>
    overlay.puts.has(path) || (inBase.get(path) === "file" && !overlay.gone.has(path));
  const isDirectory = async (path: string): Promise<boolean> =>
    staged.has(path) ||
    (inBase.get(path) === "directory" && !(await isEmptied(layers, path, overlay, signal)));
  const found = await Promise.all(
    paths.map(async (path): Promise<Array<[string, Collision]>> => {
      if (ancestorsOf(path).some(isFile)) return [[path, "not_directory"]];
      return (await isDirectory(path)) ? [[path, "is_directory"]] : [];
    }),
  );
  return new Map(found.flat());
}

/**
 * Of these staged files those that were created, have not been changed since, and collide with what else is staged. The client that
 * created one looks at it again and takes it back, which it cannot do of one that another client has changed: a change waits for it.
 */
export async function unsettledOf(
  upper: UpperLayer,
  staged: ReadonlyArray<StagedPath | undefined>,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Collision>> {
  const paths = staged.flatMap((found) => (isCreated(found?.own) ? [found.own.entry.path] : []));
  if (paths.length === 0) return new Map();
  const { puts } = await upper.around(paths, signal);
  const directories = new Set([...puts.keys()].flatMap(ancestorsOf));
  return new Map(
    paths.flatMap((path): Array<[string, Collision]> => {
      if (ancestorsOf(path).some((above) => puts.has(above))) return [[path, "not_directory"]];
      return directories.has(path) ? [[path, "is_directory"]] : [];
    }),
  );
}

function isCreated(own: StagedPath["own"]): own is Held<PutEntry> {
  return own?.entry.op === "put" && own.entry.created === true;
}
