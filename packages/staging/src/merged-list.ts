import {
  ancestorsOf,
  childEntries,
  isWithin,
  type ListQuery,
  prefixOf,
  type VolumeEntry,
} from "@fs/protocol/author";
import type { PutEntry } from "./entry.js";
import { type Layers, STAGED_VERSION } from "./layers.js";
import type { Overlay } from "./upper-layer.js";

/**
 * The entries of a directory as one filesystem would list them. Nothing is cut before it is hidden. The base comes last: a
 * commit moves files from the upper layer into it, and one that moves meanwhile is then seen in one of them at least.
 */
export async function mergedList(
  layers: Layers,
  directory: string,
  { deep, glob, signal }: ListQuery,
): Promise<VolumeEntry[]> {
  const overlay = await layers.upper.below(directory, signal);
  const entries = deep
    ? await layers.base.below(directory, patternFor(directory, glob), signal)
    : await layers.base.children(directory, signal);
  const inside = prefixOf(directory);
  const puts = [...overlay.puts.values()].map(({ entry }) => entryOfPut(entry));
  const staged = puts.filter(({ path }) => path.startsWith(inside));
  // A file that was removed hides no directory that has taken its place.
  const shown = entries.filter(
    ({ path, kind }) =>
      kind === "directory" || (!overlay.puts.has(path) && !overlay.gone.has(path)),
  );
  if (deep) return [...shown.filter(({ kind }) => kind === "file"), ...staged];
  const children = childEntries(directory, staged);
  const known = new Set(children.map(({ path }) => path));
  const visible = await Promise.all(
    shown.map(
      async ({ path, kind }) =>
        !known.has(path) && (kind === "file" || !(await isEmptied(layers, path, overlay, signal))),
    ),
  );
  return [...children, ...shown.filter((_, index) => visible[index])];
}

/** Returns whether a directory of the base has lost its last file. Only one that holds removals is looked into. */
export async function isEmptied(
  { base }: Layers,
  directory: string,
  overlay: Overlay,
  signal?: AbortSignal,
): Promise<boolean> {
  const inside = prefixOf(directory);
  const hidden = new Set([...overlay.gone.keys()].filter((path) => path.startsWith(inside)));
  // A route is there as long as it is mounted, whatever is in it.
  if (hidden.size === 0 || base.routesWithin(directory)) return false;
  if ([...overlay.puts.keys()].some((path) => path.startsWith(inside))) return false;
  return !(await base.holdsMoreThan(directory, hidden, signal));
}

/** What is at a path of the merged tree: by its entry, else by the base, in this order as in a listing. */
export async function mergedLook(
  layers: Layers,
  path: string,
  signal?: AbortSignal,
): Promise<VolumeEntry | undefined> {
  const overlay = await layers.upper.below(path, signal);
  const put = overlay.puts.get(path);
  if (put !== undefined) return entryOfPut(put.entry);
  if ([...overlay.puts.keys()].some((inside) => isWithin(inside, path)))
    return { path, kind: "directory" };
  const found = await layers.base.look(path, signal);
  if (found?.kind === "file") return overlay.gone.has(path) ? undefined : found;
  if (found === undefined || (await isEmptied(layers, path, overlay, signal))) return undefined;
  return found;
}

/** A staged file as a listing shows it. */
function entryOfPut({ path, after, stagedAt, createdAt, stamp }: PutEntry): VolumeEntry {
  const version = STAGED_VERSION + stamp;
  return { path, kind: "file", size: after.size, modifiedAt: stagedAt, createdAt, version };
}

/** A pattern that lets the base leave out what no caller wants, where it says the same in one. */
function patternFor(directory: string, glob: ListQuery["glob"]): string {
  const patterns = glob?.below(directory) ?? [];
  const [only] = patterns;
  return patterns.length === 1 && only !== undefined && only !== "" ? only : "**/*";
}

/**
 * What is at many paths: three calls of the upper layer and one of the base, and one per directory with removals. What is staged in
 * top directories that none of them is in is left aside where they share one.
 */
export async function mergedKinds(
  layers: Layers,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Array<VolumeEntry["kind"] | undefined>> {
  const [top = "/", ...others] = new Set(paths.map((path) => ancestorsOf(path)[0] ?? path));
  const overlay = await layers.upper.below(others.length === 0 ? top : "/", signal);
  const staged = new Set([...overlay.puts.keys()].flatMap(ancestorsOf));
  const unknown = paths.filter((path) => !overlay.puts.has(path) && !staged.has(path));
  const kinds = await layers.base.kinds(unknown, signal);
  return Promise.all(
    paths.map(async (path) => {
      if (overlay.puts.has(path)) return "file";
      if (staged.has(path)) return "directory";
      const kind = kinds.get(path);
      if (kind === "file") return overlay.gone.has(path) ? undefined : kind;
      if (kind === undefined || (await isEmptied(layers, path, overlay, signal))) return undefined;
      return kind;
    }),
  );
}
