import { type Change, sameContent, type Side } from "@fs/changes";
import { comparePaths } from "@fs/protocol/author";
import type { JournalRecord } from "./record.js";

/** The changes of one file that were recorded, in the order in which they followed each other. */
export interface FileChain {
  readonly path: string;
  readonly changes: ReadonlyArray<{ readonly record: JournalRecord; readonly change: Change }>;
}

/** The recorded changes by file. Those of one file follow each other by version, and by ID where versions do not say. */
export function chainsOf(records: readonly JournalRecord[]): Map<string, FileChain> {
  const byPath = new Map<string, Array<{ record: JournalRecord; change: Change }>>();
  for (const record of records) {
    if (record.outcome !== "done") continue;
    for (const change of record.changes) {
      const list = byPath.get(change.path) ?? [];
      byPath.set(change.path, [...list, { record, change }]);
    }
  }
  const chains = [...byPath].map(([path, list]): [string, FileChain] => [
    path,
    { path, changes: inVersionOrder(list) },
  ]);
  return new Map(chains);
}

function inVersionOrder<T extends { readonly change: Change }>(list: readonly T[]): T[] {
  const waiting = [...list];
  const ordered: T[] = [];
  let last: Side | null | undefined;
  while (waiting.length > 0) {
    const follows = waiting.findIndex(
      ({ change }) => last != null && isVersion(change.before, last),
    );
    const [next] = waiting.splice(follows === -1 ? firstFree(waiting) : follows, 1);
    if (next === undefined) break;
    ordered.push(next);
    last = next.change.after;
  }
  return ordered;
}

/** The first change that follows none of the others. */
function firstFree(waiting: ReadonlyArray<{ readonly change: Change }>): number {
  const free = waiting.findIndex(
    ({ change }) =>
      !waiting.some(
        (other) => other.change !== change && isVersion(change.before, other.change.after),
      ),
  );
  return Math.max(0, free);
}

function isVersion(a: Side | null, b: Side | null): boolean {
  return a?.version !== undefined && a.version === b?.version;
}

/** What an undo is to do, and what it cannot. */
export interface UndoPlan {
  /** Each file from what the newest change left to what was there before the oldest. */
  readonly changes: readonly Change[];
  /** Files that others changed in between: nothing is done with them. */
  readonly interrupted: readonly string[];
  /** Files of calls whose outcome is not known, of which nothing else is to be done: they may have changed. */
  readonly uncertain: readonly string[];
  /** Whether it is known what each of the calls has changed; a command that has not ended names no file. */
  readonly known: boolean;
}

/** The changes that take recorded changes back. A file is taken back whole or not at all. */
export function undoPlan(records: readonly JournalRecord[]): UndoPlan {
  const changes: Change[] = [];
  const interrupted: string[] = [];
  for (const { path, changes: chain } of chainsOf(records).values()) {
    const first = chain[0]?.change;
    const last = chain.at(-1)?.change;
    if (first === undefined || last === undefined) continue;
    const broken = chain.some(({ change }, index) => {
      const next = chain[index + 1]?.change;
      return next !== undefined && !continues(change.after, next.before);
    });
    if (broken) interrupted.push(path);
    else if (!sameContent(last.after, first.before))
      changes.push({ path, before: last.after, after: first.before });
  }
  const unsettled = records.filter(({ outcome }) => outcome === "open" || outcome === "unknown");
  const planned = new Set([...changes.map(({ path }) => path), ...interrupted]);
  const uncertain = new Set(unsettled.flatMap((record) => record.changes.map(({ path }) => path)));
  return {
    changes: changes.toSorted((a, b) => comparePaths(a.path, b.path)),
    interrupted: interrupted.toSorted(comparePaths),
    uncertain: [...uncertain].filter((path) => !planned.has(path)).toSorted(comparePaths),
    known: unsettled.every((record) => record.changes.length > 0),
  };
}

function continues(after: Side | null, before: Side | null): boolean {
  if (after === null || before === null) return after === before;
  if (after.version !== undefined && before.version !== undefined)
    return after.version === before.version;
  return sameContent(after, before);
}
