import type { Checker } from "../engine/checker.js";
import { sortedPaths } from "../model/text-rules.js";
import type { Answer, Observation } from "./observe.js";
import { childrenOf, type Tree } from "./tree.js";

/** What a comparison needs besides what was seen. */
export interface Comparison {
  readonly check: Checker;
  readonly tree: Tree;
  /** Says after what, for the sentence of a failure. */
  readonly when: string;
  /** Whether empty directories may be left. */
  readonly ghosts: boolean;
}

/** A time in ISO 8601, with its zone. */
export const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Asserts that `ls` of every directory and `glob` of everything show the files of a tree with their sizes. */
export function compareListings(comparison: Comparison, seen: Observation): void {
  const { ls, glob } = seen;
  const { check, tree, when } = comparison;
  for (const [directory, answer] of ls) compareDirectory(comparison, directory, answer, seen);
  const found = entriesOf(glob);
  check.equal(
    found.map(({ path }) => path),
    sortedPaths(tree.keys()),
    `The files that glob finds ${when}`,
    "G1",
  );
  const sized = found.some(({ size }) => size !== undefined);
  for (const entry of found) compareEntry(comparison, entry, { method: "glob", sized, seen });
}

function compareDirectory(
  comparison: Comparison,
  directory: string,
  answer: Answer,
  seen: Observation,
): void {
  const { check, tree, when, ghosts } = comparison;
  const children = childrenOf(tree, directory);
  if (children.length === 0 && directory !== "/") {
    const gone = typeof answer["error"] === "string" || (ghosts && entriesOf(answer).length === 0);
    check.that(
      gone || (ghosts && entriesOf(answer).every(({ path }) => path.endsWith("/"))),
      `ls of ${JSON.stringify(directory)}, where nothing is left ${when}, should fail, but it lists ${JSON.stringify(entriesOf(answer).map(({ path }) => path))}.`,
      "D2",
    );
    return;
  }
  const listed = entriesOf(answer).filter(
    ({ path }) => !ghosts || !path.endsWith("/") || children.includes(path),
  );
  check.equal(
    listed.map(({ path }) => path),
    children,
    `What ls lists in ${JSON.stringify(directory)} ${when}`,
    "L1",
  );
  for (const entry of listed) compareEntry(comparison, entry, { method: "ls", sized: true, seen });
}

function compareEntry(
  { check, tree, when }: Comparison,
  entry: Entry,
  { method, sized, seen }: { method: string; sized: boolean; seen: Observation },
): void {
  const bytes = tree.get(entry.path);
  if (bytes === undefined) return;
  const what = `of ${JSON.stringify(entry.path)} in ${method} ${when}`;
  // A listing that knows sizes knows all of them, 0 too.
  if (sized) check.equal(entry.size, bytes.length, `The size ${what}`, "L2");
  if (entry.modified_at !== undefined)
    check.that(
      typeof entry.modified_at === "string" && ISO.test(entry.modified_at),
      `modified_at ${what} should be a time in ISO 8601, but is ${JSON.stringify(entry.modified_at)}.`,
      "L2",
    );
  const version = seen.read.get(entry.path)?.["version"];
  if (entry.version !== undefined && version !== undefined)
    check.equal(entry.version, version, `The version ${what}, which read gives too,`, "F2");
}

interface Entry {
  readonly path: string;
  readonly size?: unknown;
  readonly modified_at?: unknown;
  readonly version?: unknown;
}

function entriesOf(answer: Answer): readonly Entry[] {
  const { files } = answer;
  return Array.isArray(files) ? (files as Entry[]) : [];
}
