import { pathFilter } from "@fs/changes";
import { comparePaths } from "@fs/protocol/author";
import type { Layers } from "./layers.js";
import type { Overlay } from "./upper-layer.js";

/**
 * Files of the base that appeared in directories since those were removed here, sorted: no commit removes them. One listing
 * for each removed directory.
 */
export async function appearedFiles(
  { base }: Layers,
  { puts, gone, removals }: Overlay,
  only: string | readonly string[] | undefined,
  signal?: AbortSignal,
): Promise<string[]> {
  const selected = pathFilter(only);
  const appeared = new Set<string>();
  for (const { entry } of removals) {
    if (entry.op !== "gone-tree") continue;
    for (const { path } of await base.below(entry.path, "**/*", signal))
      if (!puts.has(path) && !gone.has(path) && selected(path)) appeared.add(path);
  }
  return [...appeared].toSorted(comparePaths);
}
