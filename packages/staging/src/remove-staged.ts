import { randomUUID } from "node:crypto";
import type { Side } from "@fs/changes";
import { currentCaller } from "@fs/protocol";
import {
  isCode,
  partlyRemoved,
  prefixOf,
  type RemoveCondition,
  VolumeError,
} from "@fs/protocol/author";
import { mapConcurrently } from "@fs/protocol/async";
import type { Entry, GoneEntry, GoneTreeEntry, PutEntry } from "./entry.js";
import { untilStored, Verdict } from "./lost-rounds.js";
import { type Layers, STAGED_VERSION } from "./layers.js";
import { frozenOf, tidyAway } from "./tidy-away.js";
import type { Held, UpperLayer } from "./upper-layer.js";

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
    const { own, hidden } = await upper.at(path, signal);
    if (own?.entry.op === "put") {
      refuseUnless(ifVersion, STAGED_VERSION + own.entry.stamp);
      await removePut(layers, { ...own, entry: own.entry }, hidden, signal);
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

/** A staged file leaves an entry that says that it is gone, which goes too where the base has no such file. */
async function removePut(
  { upper }: Layers,
  own: Held<PutEntry>,
  hidden: Side | undefined,
  signal?: AbortSignal,
): Promise<void> {
  const gone = await upper.store(goneOf(own.entry), own, signal);
  if (own.entry.base !== null && hidden === undefined) return;
  await tidyAway(upper, gone, await frozenOf(upper, [own.entry.path], signal), signal);
}

function goneOf({ path, base, after: { hash, size } }: PutEntry): GoneEntry {
  const side = base ?? { hash, size };
  return { op: "gone", path, base: side, ...(base === null && { onlyStaged: true }), ...stamped() };
}

/**
 * Removes a directory: the staged files in it, then by one entry the files of the base that were seen. A file that appears in
 * the base later is not removed. Returns how many files went; one that ends early says how many are gone.
 */
export async function removeStagedTree(
  layers: Layers,
  directory: string,
  signal?: AbortSignal,
): Promise<number> {
  const { upper, base } = layers;
  const overlay = await upper.below(directory, signal);
  const inside = prefixOf(directory);
  const seen = (await base.below(directory, "**/*", signal)).filter(
    ({ path }) => !overlay.gone.has(path) && path.startsWith(inside),
  );
  const sides = new Map(
    await mapConcurrently(seen, WIDTH, async (entry): Promise<[string, Side]> => {
      const staged = overlay.puts.get(entry.path)?.entry.base;
      return [entry.path, staged ?? (await base.sideOf(entry.path, entry, signal))];
    }),
  );
  const puts = [...overlay.puts.values()].filter(({ entry }) => entry.path.startsWith(inside));
  const removals = await removeEach(layers, { directory, puts, sides }, signal);
  await tidyRemoved(upper, removals, sides, signal);
  const shown = seen.map(({ path }) => path).filter((path) => !overlay.puts.has(path));
  return new Set([...shown, ...removals.flatMap((removal) => pathOf(removal) ?? [])]).size;
}

/** What of a directory is to go: its staged files, and by path the base's files, to which those are added that were committed just now. */
interface Doomed {
  readonly directory: string;
  readonly puts: ReadonlyArray<Held<PutEntry>>;
  readonly sides: Map<string, Side>;
}

/** Removes the staged files, and then hides those of the base. Says how many are gone where it ends early. */
async function removeEach(
  layers: Layers,
  { directory, puts, sides }: Doomed,
  signal?: AbortSignal,
): Promise<Array<Removal | undefined>> {
  let gone = 0;
  try {
    const removals = await mapConcurrently(puts, WIDTH, async (held) => {
      const removal = await removeSeen(layers, held, signal);
      if (removal?.gone !== undefined) gone++;
      return removal;
    });
    for (const removal of removals) if (removal?.committed) sides.set(...removal.committed);
    if (sides.size === 0) return removals;
    await storeTree(layers.upper, directory, sides, signal);
    const staged = new Set(puts.map(({ entry }) => entry.path));
    gone += [...sides.keys()].filter((path) => !staged.has(path)).length;
    return [...removals, ...(await removeChanged(layers, directory, sides, signal))];
  } catch (error) {
    throw partlyRemoved(error, gone, directory);
  }
}

/**
 * Removes changes of the base's files that were stored after those were listed here and before they were hidden. A file that was created
 * since, where none was visible any more, stays. A change that is stored later finds the file hidden.
 */
async function removeChanged(
  layers: Layers,
  directory: string,
  sides: ReadonlyMap<string, Side>,
  signal?: AbortSignal,
): Promise<Array<Removal | undefined>> {
  const { puts } = await layers.upper.below(directory, signal);
  const changed = [...puts.values()].filter(
    ({ entry }) => sides.has(entry.path) && entry.created !== true,
  );
  return mapConcurrently(changed, WIDTH, (held) => removeSeen(layers, held, signal));
}

/** Hides files of the base by one entry. */
async function storeTree(
  upper: UpperLayer,
  directory: string,
  sides: ReadonlyMap<string, Side>,
  signal?: AbortSignal,
): Promise<void> {
  await untilStored(signal, async () => {
    const held = await upper.tree(directory, signal);
    const files = { ...held?.entry.files, ...Object.fromEntries(sides) };
    const entry: GoneTreeEntry = { op: "gone-tree", path: directory, files, ...stamped() };
    await upper.store(entry, held, signal);
  });
}

/** Takes the entries away that say nothing more once the directory is gone. */
async function tidyRemoved(
  upper: UpperLayer,
  removals: ReadonlyArray<Removal | undefined>,
  sides: ReadonlyMap<string, Side>,
  signal?: AbortSignal,
): Promise<void> {
  const gone = removals.flatMap((removal) => removal?.gone ?? []);
  const paths = gone.map(({ entry }) => entry.path);
  const frozen = gone.length === 0 ? new Set<string>() : await frozenOf(upper, paths, signal);
  // The others keep their entry, which names the state of the base that they were changed on.
  const spare = gone.filter(({ entry }) => entry.onlyStaged === true || sides.has(entry.path));
  await mapConcurrently(spare, WIDTH, (held) => tidyAway(upper, held, frozen, signal));
}

/** What a staged file of a removed directory has left: an entry, or the file in the base if a commit has just put it there. */
interface Removal {
  readonly gone?: Held<GoneEntry>;
  readonly committed?: [path: string, side: Side];
}

function pathOf(removal: Removal | undefined): string | undefined {
  return removal?.gone?.entry.path ?? removal?.committed?.[0];
}

/** A file that is changed meanwhile is removed as it is then: after its removal the change would have been refused. */
async function removeSeen(
  { upper, base }: Layers,
  held: Held<PutEntry>,
  signal?: AbortSignal,
): Promise<Removal | undefined> {
  const { path } = held.entry;
  let seen = held;
  return untilStored(signal, async () => {
    try {
      return { gone: await upper.store(goneOf(seen.entry), seen, signal) };
    } catch (error) {
      if (!isCode(error, "conflict", "not_found")) throw error;
    }
    const { own } = await upper.at(path, signal);
    if (own?.entry.op === "put") {
      seen = { ...own, entry: own.entry };
      throw new VolumeError("conflict");
    }
    const entry = own === undefined ? await base.look(path, signal) : undefined;
    if (entry?.kind !== "file") return undefined;
    return { committed: [path, await base.sideOf(path, entry, signal)] };
  });
}

/** What every new entry has. */
function stamped(): Pick<Entry, "stamp" | "stagedAt" | "caller"> {
  return {
    stamp: randomUUID(),
    stagedAt: new Date().toISOString(),
    caller: currentCaller(),
  };
}
