import { randomUUID } from "node:crypto";
import { type Change, mergeTexts, pathFilter, sameContent, type Side, sideOf } from "@fs/changes";
import { comparePaths, decodeText, encodeText, type VolumeFile } from "@fs/protocol/author";
import { isTextBytes } from "@fs/protocol/hooks";
import { stateOf } from "./base-layer.js";
import { type PutEntry, standsOn } from "./entry.js";
import { untilStored } from "./lost-rounds.js";
import type { Layers } from "./layers.js";
import { rebaseRemoval } from "./rebase-removal.js";
import type { Held } from "./upper-layer.js";

export interface RebaseOptions {
  /** Patterns of the paths to look at. Default: all. */
  readonly only?: string | readonly string[];
  /** What becomes of a file that both changed: `"merge"` keeps both where they do not overlap, `"ours"` the staged one. Default `"merge"`. */
  readonly strategy?: "merge" | "ours";
  readonly signal?: AbortSignal;
}

/** What became of one staged change whose base changed. */
export interface RebaseReport {
  readonly path: string;
  /**
   * `rebased`: it stands on the base as it is now; `conflict`: both sides changed the same lines, or a file that is removed here
   * was changed.
   */
  readonly status: "rebased" | "conflict";
  readonly conflict?: {
    readonly base: Side | null;
    readonly ours: Side | null;
    readonly theirs: Side | null;
  };
  /** Of a conflict of texts: both sides' lines between markers, for reading. */
  readonly text?: string;
}

/** Puts staged changes on the base as it is now. Those whose base did not change are not part of the answer. */
export async function rebaseStaged(
  layers: Layers,
  { only, strategy = "merge", signal }: RebaseOptions,
): Promise<RebaseReport[]> {
  const selected = pathFilter(only);
  const { puts, removals } = await layers.upper.below("/", signal);
  const reports: RebaseReport[] = [];
  for (const path of puts.keys()) {
    if (!selected(path)) continue;
    const report = await untilStored(signal, async () => {
      const { own } = await layers.upper.at(path, signal);
      return own?.entry.op === "put"
        ? rebaseOne(layers, { ...own, entry: own.entry }, strategy, signal)
        : undefined;
    });
    if (report !== undefined) reports.push(report);
  }
  // An entry of its own hides what a removed directory says of a file.
  const alone = new Set(removals.map(({ entry }) => (entry.op === "gone" ? entry.path : "")));
  for (const { entry } of removals) {
    const isMeant = (path: string): boolean =>
      selected(path) && !puts.has(path) && (entry.op === "gone" || !alone.has(path));
    reports.push(...(await rebaseRemoval(layers, entry, strategy, isMeant, signal)));
  }
  return reports.toSorted((a, b) => comparePaths(a.path, b.path));
}

async function rebaseOne(
  layers: Layers,
  held: Held<PutEntry>,
  strategy: "merge" | "ours",
  signal?: AbortSignal,
): Promise<RebaseReport | undefined> {
  const { upper, base } = layers;
  const { path, base: before, after } = held.entry;
  const file = await base.get(path, signal);
  const theirs = file === undefined ? null : stateOf(file);
  if (standsOn(before, theirs)) return undefined;
  const store = (entry: Partial<PutEntry>): Promise<Held<PutEntry>> =>
    upper.store({ ...held.entry, ...entry, base: theirs, stamp: randomUUID() }, held, signal);
  if (strategy === "ours" || sameContent(theirs, before)) {
    await store({});
    return { path, status: "rebased" };
  }
  const merged = await merge(layers, { path, before, after }, file, signal);
  if (merged?.clean === true) {
    const bytes = encodeText(merged.text);
    await upper.blobs.put(file === undefined ? [bytes] : [file.bytes, bytes], signal);
    await store({ after: sideOf(bytes) });
    return { path, status: "rebased" };
  }
  const conflict = { base: before, ours: after, theirs };
  const text = merged === undefined ? {} : { text: merged.text };
  return { path, status: "conflict", conflict, ...text };
}

async function merge(
  { upper }: Layers,
  { before, after }: Change,
  theirs: VolumeFile | undefined,
  signal?: AbortSignal,
): Promise<ReturnType<typeof mergeTexts> | undefined> {
  if (before?.hash === undefined || after?.hash === undefined || theirs === undefined)
    return undefined;
  const [base, ours] = await Promise.all([
    upper.blobs.get(before.hash, signal),
    upper.blobs.get(after.hash, signal),
  ]);
  if (base === undefined || ours === undefined) return undefined;
  if (![base, ours, theirs.bytes].every(isTextBytes)) return undefined;
  return mergeTexts(decodeText(base), decodeText(ours), decodeText(theirs.bytes));
}
