import type { Checker } from "../engine/checker.js";
import type { Answer, Observation } from "./observe.js";
import type { Tree } from "./tree.js";

/** What a view says of a file besides its content. */
const FACTS = ["version", "modified_at", "created_at"] as const;

/**
 * Asserts that nothing is said anew of files that no call has touched: not their versions and not their times, in any view. A file
 * counts as untouched where both trees hold the same bytes, the very object.
 */
export function compareUntouched(
  check: Checker,
  before: { readonly tree: Tree; readonly seen: Observation },
  after: { readonly tree: Tree; readonly seen: Observation },
  when: string,
): void {
  const [old, now] = [factsOf(before.seen), factsOf(after.seen)];
  for (const [path, bytes] of before.tree) {
    if (after.tree.get(path) !== bytes) continue;
    for (const [view, entries] of now) {
      const [was, is] = [old.get(view)?.get(path), entries.get(path)];
      if (was === undefined || is === undefined) continue;
      for (const fact of FACTS)
        check.equal(
          is[fact],
          was[fact],
          `${fact} of ${JSON.stringify(path)} in ${view} ${when}, which did not touch it,`,
          fact === "version" ? "F2" : "A7",
        );
    }
  }
}

/** What each view says of each file. */
function factsOf(seen: Observation): ReadonlyMap<string, ReadonlyMap<string, Answer>> {
  return new Map([
    ["ls", new Map([...seen.ls.values()].flatMap(entriesOf))],
    ["glob", new Map(entriesOf(seen.glob))],
    ["read", seen.read],
    ["readRaw", inner(seen.readRaw, "data")],
    ["downloadFiles", seen.download],
    ["stat", inner(seen.stat, "info")],
  ]);
}

/** What answers hold in one field. */
function inner(answers: ReadonlyMap<string, Answer>, field: string): Map<string, Answer> {
  return new Map(
    [...answers].flatMap(([path, answer]) => {
      const value = answer[field];
      return typeof value === "object" && value !== null ? [[path, value as Answer]] : [];
    }),
  );
}

function entriesOf(answer: Answer): Array<[string, Answer]> {
  const { files } = answer;
  return Array.isArray(files)
    ? (files as Array<Answer & { path: string }>).map((entry) => [entry.path, entry])
    : [];
}
