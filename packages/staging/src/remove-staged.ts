import { randomUUID } from "node:crypto";
import type { Side } from "@fs/changes";
import { currentCaller } from "@fs/protocol";
import { prefixOf, type RemoveCondition, VolumeError } from "@fs/protocol/author";
import { mapConcurrently } from "@fs/protocol/async";
import type { Entry, GoneTreeEntry } from "./entry.js";
import { untilStored, Verdict } from "./lost-rounds.js";
import { type Layers, STAGED_VERSION } from "./put-staged.js";
import type { StagedPath } from "./upper-layer.js";

/** Entries dropped at once. */
const WIDTH = 16;

/** Removes a file of the merged tree. Returns whether there was one. Throws `conflict` as the condition says. */
export async function removeStaged(
  layers: Layers,
  path: string,
  { ifVersion, signal }: RemoveCondition,
): Promise<boolean> {
  const { upper, base } = layers;
  return untilStored(signal, async () => {
    const staged = await upper.at(path, signal);
    const { own, hidden } = staged;
    if (own?.entry.op === "put") {
      refuseUnless(ifVersion, STAGED_VERSION + own.entry.stamp);
      await removePut(layers, { ...staged, own }, signal);
      return true;
    }
    if (own === undefined && hidden === undefined) {
      const entry = await base.look(path, signal);
      if (entry?.kind === "file") {
        refuseUnless(ifVersion, entry.version);
        const side = await base.sideOf(path, entry, signal);
        await upper.store({ op: "gone", path, base: side, ...stamped() }, undefined, signal);
        return true;
      }
    }
    refuseUnless(ifVersion, undefined);
    return false;
  });
}

function refuseUnless(ifVersion: string | undefined, version: string | undefined): void {
  if (ifVersion !== undefined && ifVersion !== version) throw new Verdict("conflict");
}

/** A staged file goes with its entry; one of the base leaves an entry that says so. */
async function removePut(
  { upper }: Layers,
  { own, hidden }: StagedPath,
  signal?: AbortSignal,
): Promise<void> {
  if (own?.entry.op !== "put") return;
  const { base, path } = own.entry;
  if (base === null || hidden !== undefined) await upper.drop(own, signal);
  else await upper.store({ op: "gone", path, base, ...stamped() }, own, signal);
}

/**
 * Removes a directory: one entry that names the files of the base that were seen, then the staged files in it. A file that
 * appears in the base later is not removed. Returns how many files went.
 */
export async function removeStagedTree(
  { upper, base }: Layers,
  directory: string,
  signal?: AbortSignal,
): Promise<number> {
  const overlay = await upper.below(directory, signal);
  const inside = prefixOf(directory);
  const seen = (await base.below(directory, "**/*", signal)).filter(
    ({ path }) => !overlay.gone.has(path) && path.startsWith(inside),
  );
  const sides = await mapConcurrently(seen, WIDTH, async (entry): Promise<[string, Side]> => {
    const staged = overlay.puts.get(entry.path)?.entry.base;
    return [entry.path, staged ?? (await base.sideOf(entry.path, entry, signal))];
  });
  if (sides.length > 0) {
    await untilStored(signal, async () => {
      const held = await upper.tree(directory, signal);
      const files = { ...held?.entry.files, ...Object.fromEntries(sides) };
      const entry: GoneTreeEntry = { op: "gone-tree", path: directory, files, ...stamped() };
      await upper.store(entry, held, signal);
    });
  }
  const puts = [...overlay.puts.values()].filter(({ entry }) => entry.path.startsWith(inside));
  const dropped = await mapConcurrently(puts, WIDTH, async (held) => {
    try {
      await upper.drop(held, signal);
      return true;
    } catch (error) {
      // Whoever changed it since did so after this removal.
      if (VolumeError.isInstance(error) && error.code === "conflict") return false;
      throw error;
    }
  });
  const shown = seen.filter(({ path }) => !overlay.puts.has(path)).length;
  return shown + dropped.filter(Boolean).length;
}

/** What every new entry has. */
function stamped(): Pick<Entry, "stamp" | "stagedAt" | "caller"> {
  return {
    stamp: randomUUID(),
    stagedAt: new Date().toISOString(),
    caller: currentCaller(),
  };
}
