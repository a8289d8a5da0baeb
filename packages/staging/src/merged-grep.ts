import { classify, searchLines } from "@fs/protocol/hooks";
import {
  comparePaths,
  type GrepQuery,
  type GrepStream,
  isWithin,
  VolumeError,
  type VolumeHit,
} from "@fs/protocol/author";
import { mapConcurrently, optionsOf } from "@fs/protocol/async";
import type { Layers } from "./layers.js";
import type { Overlay } from "./upper-layer.js";

/** Staged files that are searched at once. */
const WIDTH = 16;
/** How much more the base is asked for each time hidden hits used up a cap. */
const GROWTH = 4;

/** The matching lines of the merged tree: the base searches what is its own, staged files are searched here. */
export async function mergedGrep(layers: Layers, query: GrepQuery): Promise<GrepStream> {
  const overlay = await layers.upper.below(query.root, query.signal);
  const [ofBase, staged] = await Promise.all([
    searchBase(layers, query, overlay),
    searchStaged(layers, query, overlay),
  ]);
  const hits = [...ofBase, ...staged].toSorted(
    (a, b) => comparePaths(a.path, b.path) || a.line - b.line,
  );
  return { sorted: true, batches: once(hits) };
}

async function* once(hits: readonly VolumeHit[]): AsyncGenerator<readonly VolumeHit[]> {
  yield hits;
}

/** The base's hits that show. The cap is the base's too, and grows only while hits that are hidden used it up. */
async function searchBase(
  { base }: Layers,
  query: GrepQuery,
  overlay: Overlay,
): Promise<VolumeHit[]> {
  const { root, pattern, glob, limit, signal } = query;
  const hidden = (path: string): boolean => overlay.puts.has(path) || overlay.gone.has(path);
  if (hidden(root)) return [];
  for (let cap = limit; ; cap *= GROWTH) {
    const answer = await base.files.backend.grep(
      pattern.source,
      root,
      glob?.source ?? null,
      cap === Infinity ? null : cap,
      { regex: pattern.regex, ignoreCase: pattern.ignoreCase, ...optionsOf(signal) },
    );
    if (answer.error) {
      if (answer.code === "not_found" || answer.code === "not_directory") return [];
      throw new VolumeError(answer.code, answer.error);
    }
    const cut = answer.truncated === true;
    if ((answer.warnings?.length ?? 0) > 0 || (cut && cap === Infinity))
      throw new VolumeError("unavailable", "The search of the base is incomplete.");
    const shown = answer.matches.filter(({ path }) => !hidden(path) && query.accepts(path));
    if (shown.length >= limit || !cut) return shown.slice(0, limit);
  }
}

async function searchStaged(
  { upper }: Layers,
  query: GrepQuery,
  overlay: Overlay,
): Promise<VolumeHit[]> {
  const puts = [...overlay.puts.values()]
    .map(({ entry }) => entry)
    .filter(({ path }) => isWithin(path, query.root) && query.accepts(path))
    .toSorted((a, b) => comparePaths(a.path, b.path));
  const hits: VolumeHit[] = [];
  for (let from = 0; from < puts.length && hits.length < query.limit; from += WIDTH) {
    const found = await mapConcurrently(
      puts.slice(from, from + WIDTH),
      WIDTH,
      async ({ path, after }) => {
        const bytes = await upper.blobs.get(after.hash, query.signal);
        if (bytes === undefined) throw new VolumeError("unavailable", undefined, { path });
        const content = classify(path, bytes);
        if (content.kind === "binary") return [];
        return searchLines(content.text, query.pattern, query.limit).map((hit) => ({
          path,
          ...hit,
        }));
      },
    );
    // One by one: a call takes no more arguments than some ten thousands, and a file may have more hits.
    for (const hit of found.flat()) hits.push(hit);
  }
  return hits.slice(0, query.limit);
}
