import { ancestorsOf } from "@fs/protocol/author";
import type { Change } from "../change.js";

/**
 * Changes in the order in which they are made: what creates and changes; then the removals that make room, and what they make
 * room for; then the other removals. Of removals the deepest come last.
 */
export function inOrder(changes: readonly Change[]): Change[][] {
  const { removals, makes, makesRoom, needsRoom } = partsOf(changes);
  const inTurn = removals.toSorted((a, b) => depthOf(a.path) - depthOf(b.path));
  return [
    makes.filter((change) => !needsRoom(change)),
    inTurn.filter(makesRoom),
    makes.filter(needsRoom),
    inTurn.filter((change) => !makesRoom(change)),
  ].filter((phase) => phase.length > 0);
}

interface Parts {
  readonly removals: readonly Change[];
  readonly makes: readonly Change[];
  /** Of a removal: something can be created only once it is made. */
  makesRoom(removal: Change): boolean;
  /** A file cannot be created below a file that goes, nor where a directory is whose files go. */
  needsRoom(make: Change): boolean;
}

function partsOf(changes: readonly Change[]): Parts {
  const removals = changes.filter(({ after }) => after === null);
  const makes = changes.filter(({ after }) => after !== null);
  return { removals, makes, makesRoom: aboveOrBelow(makes), needsRoom: aboveOrBelow(removals) };
}

/** Returns whether a change is of a file above or below one of these. */
function aboveOrBelow(changes: readonly Change[]): (change: Change) => boolean {
  const paths = new Set(changes.map(({ path }) => path));
  const above = new Set(changes.flatMap(({ path }) => ancestorsOf(path)));
  return ({ path }) => above.has(path) || ancestorsOf(path).some((one) => paths.has(one));
}

function depthOf(path: string): number {
  return path.split("/").length;
}

/**
 * By the path of each file that goes, the change that keeps its content: the destination of its move, or any file that is
 * to hold the same. None where both wait for room: then the file has to go before that one can be created.
 */
export function destinationsOf(changes: readonly Change[]): Map<string, Change> {
  const { removals, makes, makesRoom, needsRoom } = partsOf(changes);
  const byOrigin = new Map(makes.map((change) => [change.from, change]));
  const byHash = new Map(makes.map((change) => [change.after?.hash, change]));
  const found = new Map<string, Change>();
  for (const removal of removals) {
    const { hash } = removal.before ?? {};
    const kept = byOrigin.get(removal.path) ?? (hash === undefined ? undefined : byHash.get(hash));
    if (kept !== undefined && !(needsRoom(kept) && makesRoom(removal)))
      found.set(removal.path, kept);
  }
  return found;
}
