import { pathFilter } from "@fs/changes";
import { comparePaths } from "@fs/protocol/author";
import { untilStored } from "./lost-rounds.js";
import type { Layers } from "./layers.js";

/** Takes staged changes back: the base's files show again. Returns the paths, sorted. */
export async function discardStaged(
  { upper }: Layers,
  only: string | readonly string[] | undefined,
  signal?: AbortSignal,
): Promise<string[]> {
  const selected = pathFilter(only);
  const { puts, removals } = await upper.below("/", signal);
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

function parted<T>(
  record: Readonly<Record<string, T>>,
  selected: (path: string) => boolean,
): [Array<[string, T]>, Array<[string, T]>] {
  const entries = Object.entries(record);
  return [entries.filter(([path]) => selected(path)), entries.filter(([path]) => !selected(path))];
}
