import { lineChanges, type LineChange } from "./line-changes.js";
import { linesOf } from "./lines.js";

/** What a three-way merge gives. */
export type MergeOutcome =
  | { readonly clean: true; readonly text: string }
  /** `text` shows each conflict between `<<<<<<<` and `>>>>>>>`; it is for reading, not for storing. */
  | { readonly clean: false; readonly text: string; readonly conflicts: number };

/** How the sides of a conflict are named in its markers. */
export interface MergeLabels {
  /** Default `"ours"`. */
  readonly ours?: string;
  /** Default `"base"`. */
  readonly base?: string;
  /** Default `"theirs"`. */
  readonly theirs?: string;
}

/**
 * Merges two texts that began as one, line by line. Changes of different places are both kept, equal changes once; changes
 * that overlap, or touch without an unchanged line between them, are a conflict. Texts that differ in more lines than can
 * be compared are one conflict.
 *
 * @example
 * mergeTexts("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n"); // { clean: true, text: "A\nb\nC\n" }
 */
export function mergeTexts(
  base: string,
  ours: string,
  theirs: string,
  labels: MergeLabels = {},
): MergeOutcome {
  if (ours === theirs || theirs === base) return { clean: true, text: ours };
  if (ours === base) return { clean: true, text: theirs };
  const lines = linesOf(base);
  const mine = lineChanges(lines, linesOf(ours));
  const other = lineChanges(lines, linesOf(theirs));
  if (mine === undefined || other === undefined) {
    const text = conflictText(
      { base: lines, ours: linesOf(ours), theirs: linesOf(theirs) },
      labels,
    );
    return { clean: false, text, conflicts: 1 };
  }
  return mergeChanges(lines, mine, other, labels);
}

/** Changes of both sides that touch each other, and the lines of the base that they span. */
interface Region {
  from: number;
  to: number;
  readonly ours: LineChange[];
  readonly theirs: LineChange[];
}

function mergeChanges(
  base: readonly string[],
  ours: readonly LineChange[],
  theirs: readonly LineChange[],
  labels: MergeLabels,
): MergeOutcome {
  // By parts: the lines of one may be more than a function takes as arguments.
  const merged: string[][] = [];
  let at = 0;
  let conflicts = 0;
  for (const region of regionsOf(ours, theirs)) {
    merged.push(base.slice(at, region.from));
    at = region.to;
    const mine = applied(base, region, region.ours);
    const other = applied(base, region, region.theirs);
    if (region.theirs.length === 0 || equal(mine, other)) merged.push(mine);
    else if (region.ours.length === 0) merged.push(other);
    else {
      conflicts++;
      const sides = { base: base.slice(region.from, region.to), ours: mine, theirs: other };
      merged.push([conflictText(sides, labels)]);
    }
  }
  const text = [...merged, base.slice(at)].flat().join("");
  return conflicts === 0 ? { clean: true, text } : { clean: false, text, conflicts };
}

function regionsOf(ours: readonly LineChange[], theirs: readonly LineChange[]): Region[] {
  const all = [
    ...ours.map((change) => ({ change, side: "ours" as const })),
    ...theirs.map((change) => ({ change, side: "theirs" as const })),
  ].toSorted((a, b) => a.change.at - b.change.at);
  const regions: Region[] = [];
  for (const { change, side } of all) {
    const end = change.at + change.removed;
    let region = regions.at(-1);
    // Changes of one side never touch; so one that touches the region meets a change of the other side.
    if (region === undefined || change.at > region.to) {
      region = { from: change.at, to: end, ours: [], theirs: [] };
      regions.push(region);
    }
    region.to = Math.max(region.to, end);
    region[side].push(change);
  }
  return regions;
}

/** The lines of a region once one side's changes are made. */
function applied(
  base: readonly string[],
  { from, to }: Region,
  changes: readonly LineChange[],
): string[] {
  const parts: Array<readonly string[]> = [];
  let at = from;
  for (const change of changes) {
    parts.push(base.slice(at, change.at), change.lines);
    at = change.at + change.removed;
  }
  return [...parts, base.slice(at, to)].flat();
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}

function conflictText(
  sides: Readonly<Record<"base" | "ours" | "theirs", readonly string[]>>,
  { base = "base", ours = "ours", theirs = "theirs" }: MergeLabels,
): string {
  return [
    `<<<<<<< ${ours}\n${block(sides.ours)}`,
    `||||||| ${base}\n${block(sides.base)}`,
    `=======\n${block(sides.theirs)}>>>>>>> ${theirs}\n`,
  ].join("");
}

/** Lines as a block of a conflict, which ends with a line end. */
function block(lines: readonly string[]): string {
  const text = lines.join("");
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
