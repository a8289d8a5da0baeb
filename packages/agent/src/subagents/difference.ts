import { isDeepStrictEqual } from "node:util";

/** How the leaves of a value are written: numbers and lists whole, or only what was added to them. */
interface Leaves {
  readonly numbers: "added" | "whole";
  readonly lists: "added" | "whole";
}

const LEAVES: readonly Leaves[] = [
  { numbers: "added", lists: "added" },
  { numbers: "whole", lists: "added" },
  { numbers: "added", lists: "whole" },
  { numbers: "whole", lists: "whole" },
];

/**
 * What could make one value of another by a reducer that is not known, the least first: what a write names beyond the change
 * would undo the changes of others in it.
 */
export function writesBetween(before: unknown, after: unknown): unknown[] {
  return [...LEAVES.map((leaves) => changeOf(before, after, leaves)), upper(before, after), after];
}

function changeOf(before: unknown, after: unknown, leaves: Leaves): unknown {
  if (typeof before === "number" && typeof after === "number")
    return leaves.numbers === "added" ? after - before : after;
  if (Array.isArray(before) && Array.isArray(after))
    return leaves.lists === "added" ? addedTo(before, after) : after;
  return isPlain(before) && isPlain(after)
    ? changedIn(before, after, (old, now) => changeOf(old, now, leaves))
    : after;
}

/** For reducers that replace each entry of a record as a whole. */
function upper(before: unknown, after: unknown): unknown {
  return isPlain(before) && isPlain(after)
    ? changedIn(before, after, (_old, now) => now)
    : undefined;
}

/** A list that grew is given its new end; of one that changed inside, the items that are others now, for reducers that find them by id. */
function addedTo(before: readonly unknown[], after: readonly unknown[]): unknown[] {
  const grew = before.every((item, at) => isDeepStrictEqual(item, after[at]));
  if (grew) return after.slice(before.length);
  return after.filter((item) => !before.some((old) => isDeepStrictEqual(old, item)));
}

/** The entries that changed; one that is gone is `null`, as reducers that remove entries have it. */
function changedIn(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  change: (old: unknown, now: unknown) => unknown,
): Record<string, unknown> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names.flatMap((name) => {
      if (!Object.hasOwn(after, name)) return [[name, null] as const];
      const now = after[name];
      if (!Object.hasOwn(before, name)) return [[name, now] as const];
      return isDeepStrictEqual(before[name], now)
        ? []
        : [[name, change(before[name], now)] as const];
    }),
  );
}

/** A map, a date or a message is compared as a whole. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
