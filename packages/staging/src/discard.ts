import { pathFilter } from "@fs/changes";
import { ancestorsOf, comparePaths, quote, VolumeError } from "@fs/protocol/author";
import { untilStored } from "./lost-rounds.js";
import type { Layers } from "./layers.js";

/**
 * Takes staged changes back: the base's files show again. Returns the paths, sorted. Throws `conflict` before anything is taken back
 * where a file of the base would show above or below one that stays staged.
 */
export async function discardStaged(
  { upper }: Layers,
  only: string | readonly string[] | undefined,
  signal?: AbortSignal,
): Promise<string[]> {
  const selected = pathFilter(only);
  const { puts, removals } = await upper.below("/", signal);
  refuseCollisions(
    removals.flatMap(({ entry }) =>
      (entry.op === "gone" ? [entry.path] : Object.keys(entry.files)).filter(selected),
    ),
    [...puts.keys()].filter((path) => !selected(path)),
  );
  const discarded = new Set<string>();
  for (const held of puts.values()) {
    const { path } = held.entry;
    if (!selected(path)) continue;
    await untilStored(signal, async () => {
      const { own } = await upper.at(path, signal);
      if (own?.entry.op === "put") await upper.drop(own, signal);
    });
    discarded.add(path);
  }
  for (const { entry } of removals) {
    if (entry.op === "gone") {
      if (!selected(entry.path)) continue;
      await untilStored(signal, async () => {
        const { own } = await upper.at(entry.path, signal);
        if (own?.entry.op === "gone") await upper.drop(own, signal);
      });
      discarded.add(entry.path);
      continue;
    }
    await untilStored(signal, async () => {
      const held = await upper.tree(entry.path, signal);
      if (held === undefined) return;
      const [back, kept] = parted(held.entry.files, selected);
      for (const [path] of back) discarded.add(path);
      if (back.length === 0) return;
      if (kept.length === 0) await upper.drop(held, signal);
      else await upper.store({ ...held.entry, files: Object.fromEntries(kept) }, held, signal);
    });
  }
  return [...discarded].toSorted(comparePaths);
}

function refuseCollisions(back: readonly string[], kept: readonly string[]): void {
  const staged = new Set(kept);
  const above = new Map(kept.flatMap((path) => ancestorsOf(path).map((one) => [one, path])));
  for (const path of back) {
    const other = above.get(path) ?? ancestorsOf(path).find((one) => staged.has(one));
    if (other !== undefined)
      throw new VolumeError(
        "conflict",
        `${quote(path)} cannot show again beside the staged ${quote(other)}: a file and a directory would be at one path. Discard both.`,
        { path },
      );
  }
}

function parted<T>(
  record: Readonly<Record<string, T>>,
  selected: (path: string) => boolean,
): [Array<[string, T]>, Array<[string, T]>] {
  const entries = Object.entries(record);
  return [entries.filter(([path]) => selected(path)), entries.filter(([path]) => !selected(path))];
}
