import { randomUUID } from "node:crypto";
import { sameContent, type Side } from "@fs/changes";
import { mapConcurrently } from "@fs/protocol/async";
import { stateOf } from "./base-layer.js";
import { type GoneEntry, type GoneTreeEntry, standsOn } from "./entry.js";
import { untilStored } from "./lost-rounds.js";
import type { Layers } from "./layers.js";
import type { RebaseReport } from "./rebase.js";

/** Files looked at at once. */
const WIDTH = 16;

type Strategy = "merge" | "ours";

/** What becomes of one removed file: the state it is removed from now, `null` where somebody else has removed it. */
interface Rebased {
  readonly report: RebaseReport;
  readonly side?: Side | null;
}

/** Puts a removal, of a file or of the chosen files of a directory, on the base as it is now. */
export async function rebaseRemoval(
  layers: Layers,
  { op, path }: GoneEntry | GoneTreeEntry,
  strategy: Strategy,
  isMeant: (path: string) => boolean,
  signal?: AbortSignal,
): Promise<RebaseReport[]> {
  return untilStored(signal, async () =>
    op === "gone"
      ? rebaseFile(layers, path, strategy, isMeant, signal)
      : rebaseTree(layers, path, strategy, isMeant, signal),
  );
}

async function rebaseFile(
  layers: Layers,
  path: string,
  strategy: Strategy,
  isMeant: (path: string) => boolean,
  signal?: AbortSignal,
): Promise<RebaseReport[]> {
  const { upper } = layers;
  if (!isMeant(path)) return [];
  const { own } = await upper.at(path, signal);
  // Of a file that was only staged nothing is known of the base.
  if (own?.entry.op !== "gone" || own.entry.onlyStaged === true) return [];
  const rebased = await rebaseSide(layers, path, own.entry.base, strategy, signal);
  if (rebased === undefined) return [];
  const { report, side } = rebased;
  if (side === null) await upper.drop(own, signal);
  else if (side !== undefined)
    await upper.store({ ...own.entry, base: side, stamp: randomUUID() }, own, signal);
  return [report];
}

async function rebaseTree(
  layers: Layers,
  directory: string,
  strategy: Strategy,
  isMeant: (path: string) => boolean,
  signal?: AbortSignal,
): Promise<RebaseReport[]> {
  const { upper } = layers;
  const held = await upper.tree(directory, signal);
  if (held === undefined) return [];
  const files = new Map(Object.entries(held.entry.files));
  const meant = [...files].filter(([path]) => isMeant(path));
  const found = await mapConcurrently(meant, WIDTH, ([path, side]) =>
    rebaseSide(layers, path, side, strategy, signal),
  );
  const rebased = found.filter((one) => one !== undefined);
  const moved = rebased.filter(({ side }) => side !== undefined);
  for (const { report, side } of moved) {
    if (side) files.set(report.path, side);
    else files.delete(report.path);
  }
  if (files.size === 0) await upper.drop(held, signal);
  else if (moved.length > 0)
    await upper.store(
      { ...held.entry, files: Object.fromEntries(files), stamp: randomUUID() },
      held,
      signal,
    );
  return rebased.map(({ report }) => report);
}

async function rebaseSide(
  { base }: Layers,
  path: string,
  before: Side,
  strategy: Strategy,
  signal?: AbortSignal,
): Promise<Rebased | undefined> {
  const entry = await base.look(path, signal);
  const seen = entry?.kind === "file" ? await base.sideOf(path, entry, signal) : null;
  if (seen !== null && standsOn(before, seen)) return undefined;
  const report: RebaseReport = { path, status: "rebased" };
  if (seen === null || strategy === "ours") return { report, side: seen };
  const file = await base.get(path, signal);
  const theirs = file === undefined ? null : stateOf(file);
  if (theirs === null || sameContent(theirs, before)) return { report, side: theirs };
  return { report: { path, status: "conflict", conflict: { base: before, ours: null, theirs } } };
}
