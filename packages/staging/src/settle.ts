import { type Change, isDone, type PathReport, type Side } from "@fs/changes";
import { type Entry, standsOn } from "./entry.js";
import { untilStored } from "./lost-rounds.js";
import type { Layers } from "./layers.js";

/**
 * Takes the entries of changes that were applied away. One that changed since the commit began stays staged, on what was
 * applied. Safe to repeat.
 */
export async function settleApplied(
  layers: Layers,
  changes: ReadonlyMap<string, Change>,
  reports: readonly PathReport[],
): Promise<void> {
  for (const report of reports) {
    const change = changes.get(report.path);
    if (change === undefined) continue;
    if (isDone(report)) await settleOne(layers, change, report);
    else if (report.status === "conflict") await dropOnlyStaged(layers, report.path);
  }
}

async function settleOne(layers: Layers, change: Change, report: PathReport): Promise<void> {
  const { upper } = layers;
  const { path, after } = change;
  await untilStored(undefined, async () => {
    const { own } = await upper.at(path);
    if (own === undefined)
      return forgetInTrees(layers, path, (side) => standsOn(side, change.before));
    const { entry } = own;
    // One that stands on something else was made, or put there, since: it knows the base better than this change does.
    if (!standsOn(entry.base, change.before) && !mayBeStoredBy(entry, change)) return;
    // First, so that the entry hides what a removed directory says of the file until both are gone.
    await forgetInTrees(layers, path, () => true);
    const same = entry.op === "put" ? entry.after.hash === after?.hash : after === null;
    const base = sideApplied(change, report);
    if (same) await upper.drop(own);
    else if (entry.op === "put") await upper.store({ ...entry, base }, own);
    else if (base === null) await upper.drop(own);
    else {
      const { onlyStaged: _, ...removal } = entry;
      await upper.store({ ...removal, base }, own);
    }
  });
}

/** Returns whether a removal is of the file that a change has created. */
function mayBeStoredBy(entry: Entry, { before, after }: Change): boolean {
  const removed = entry.op === "gone" && entry.onlyStaged === true ? entry.base.hash : undefined;
  return removed !== undefined && before === null && removed === after?.hash;
}

/** Somebody else's file is at the path: the one that was removed here is not in the base. */
async function dropOnlyStaged({ upper }: Layers, path: string): Promise<void> {
  await untilStored(undefined, async () => {
    const { own } = await upper.at(path);
    if (own?.entry.op === "gone" && own.entry.onlyStaged === true) await upper.drop(own);
  });
}

/**
 * What an entry that was changed meanwhile stands on. Where both sides were merged it has not seen theirs, so that no version
 * is named, and the next commit has to look.
 */
function sideApplied({ after }: Change, { merged, version }: PathReport): Side | null {
  if (after === null) return null;
  const { hash, size } = after;
  return { hash, size, ...(merged === undefined && version !== undefined && { version }) };
}

/** A file that is in the base as it was committed is not hidden by a directory that was removed before. */
async function forgetInTrees(
  { upper }: Layers,
  path: string,
  isMeant: (side: Side) => boolean,
): Promise<void> {
  for (const held of await upper.trees()) {
    const side = Object.hasOwn(held.entry.files, path) ? held.entry.files[path] : undefined;
    if (side === undefined || !isMeant(side)) continue;
    const files = Object.fromEntries(
      Object.entries(held.entry.files).filter(([file]) => file !== path),
    );
    if (Object.keys(files).length === 0) await upper.drop(held);
    else await upper.store({ ...held.entry, files }, held);
  }
}
