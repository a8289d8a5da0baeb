import { type Change, isDone, type PathReport, type Side } from "@fs/changes";
import { untilStored } from "./lost-rounds.js";
import type { Layers } from "./put-staged.js";

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
    if (change !== undefined && isDone(report)) await settleOne(layers, change, report);
  }
}

async function settleOne(layers: Layers, change: Change, report: PathReport): Promise<void> {
  const { upper } = layers;
  const { path, after } = change;
  await untilStored(undefined, async () => {
    const { own } = await upper.at(path);
    if (own === undefined) return forgetInTrees(layers, path);
    const { entry } = own;
    const same = entry.op === "put" ? entry.after.hash === after?.hash : after === null;
    if (same) await upper.drop(own);
    else {
      const base = await sideApplied(layers, change, report);
      if (entry.op === "put") await upper.store({ ...entry, base }, own);
      else if (base === null) await upper.drop(own);
      else await upper.store({ ...entry, base }, own);
    }
    await forgetInTrees(layers, path);
  });
}

async function sideApplied(
  { base }: Layers,
  { path, after }: Change,
  { merged, version }: PathReport,
): Promise<Side | null> {
  const side = merged ?? after;
  if (side === null) return null;
  return { ...side, version: version ?? (await base.files.look(path))?.version };
}

/** A file that is in the base as it was committed is not hidden by a directory that was removed before. */
async function forgetInTrees({ upper }: Layers, path: string): Promise<void> {
  for (const held of await upper.trees()) {
    if (!Object.hasOwn(held.entry.files, path)) continue;
    const files = Object.fromEntries(
      Object.entries(held.entry.files).filter(([file]) => file !== path),
    );
    if (Object.keys(files).length === 0) await upper.drop(held);
    else await upper.store({ ...held.entry, files }, held);
  }
}
