import { isWithin } from "@fs/protocol/author";
import type { Change } from "../change.js";

/**
 * Changes in the order in which they are made: what creates and changes, then what removes, the deepest last, then what
 * could only be created once something at, above or below it was removed.
 */
export function inOrder(changes: readonly Change[]): Change[][] {
  const removals = changes.filter(({ after }) => after === null);
  const makes = changes.filter(({ after }) => after !== null);
  const blocked = new Set(makes.filter(({ path }) => isBlocked(path, removals)));
  return [
    makes.filter((change) => !blocked.has(change)),
    removals.toSorted((a, b) => depthOf(a.path) - depthOf(b.path)),
    [...blocked],
  ].filter((phase) => phase.length > 0);
}

/** A file cannot be created below a file that goes, nor where a directory is whose files go. */
function isBlocked(path: string, removals: readonly Change[]): boolean {
  return removals.some(
    (removal) =>
      removal.path !== path && (isWithin(path, removal.path) || isWithin(removal.path, path)),
  );
}

function depthOf(path: string): number {
  return path.split("/").length;
}

/**
 * By the path of each file that goes, the change that keeps its content: the destination of its move, or any file that is
 * to hold the same. None where the file has to go before that one can be created.
 */
export function destinationsOf(changes: readonly Change[]): Map<string, Change> {
  const makes = changes.filter(({ after }) => after !== null);
  const byOrigin = new Map(makes.map((change) => [change.from, change]));
  const byHash = new Map(makes.map((change) => [change.after?.hash, change]));
  const found = new Map<string, Change>();
  for (const removal of changes) {
    if (removal.after !== null) continue;
    const { hash } = removal.before ?? {};
    const kept = byOrigin.get(removal.path) ?? (hash === undefined ? undefined : byHash.get(hash));
    if (kept !== undefined && !isBlocked(kept.path, [removal])) found.set(removal.path, kept);
  }
  return found;
}
