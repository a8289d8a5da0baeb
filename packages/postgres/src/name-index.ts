import type { PathGlob } from "@fs/protocol/hooks";
import { namePatterns } from "./name-patterns.js";
import { textsStartingWith } from "./path-key.js";

/** More names than this are found by their patterns alone: each is a condition of the statement. */
const MAX_NAMES = 16;

/**
 * A file's name from its end, as the index of names has it: whole also where the path is too long to be its own key, and
 * never longer than an index entry may be.
 */
export function nameKey(row: string): string {
  return `reverse(split_part(coalesce(${row}long_path, ${row}path), '/', -1))`;
}

/** Adds a value to those of a statement, and returns its parameter. */
export type Bind = (value: unknown) => string;

/** What SQL can say of the names that a glob matches; the glob decides. */
export interface NameFilter {
  /** A condition that the index of names serves; `undefined` where no name's end is known. */
  readonly indexed: string | undefined;
  /** All that is known of the names, for rows that are read anyway; `undefined` when they may be anything. */
  readonly condition: string | undefined;
}

/** @param row What stands before the columns of the table: `f.`, or nothing. */
export function nameFilter(glob: PathGlob | undefined, row: string, bind: Bind): NameFilter {
  if (glob === undefined) return { indexed: undefined, condition: undefined };
  const indexed = endsOf(glob, nameKey(row), bind);
  // An ending says all of a literal and of `*literal`.
  if (indexed !== undefined && glob.names?.every((name) => name.lastIndexOf("*") <= 0) === true)
    return { indexed, condition: indexed };
  const patterns = namePatterns(glob.source);
  if (patterns === undefined) return { indexed, condition: indexed };
  const like = `coalesce(${row}long_path, ${row}path) like any (array(select json_array_elements_text(${bind(JSON.stringify(patterns))}::json)))`;
  return { indexed, condition: indexed === undefined ? like : `(${indexed} and ${like})` };
}

function endsOf({ names }: PathGlob, key: string, bind: Bind): string | undefined {
  if (names === undefined || names.length === 0 || names.length > MAX_NAMES) return undefined;
  const ends = names.map((name) => name.slice(name.lastIndexOf("*") + 1));
  const ranges = ends.map((end) => textsStartingWith(Array.from(end).toReversed().join("")));
  if (ranges.includes(undefined)) return undefined;
  const conditions = ranges.map((range, index) =>
    ends[index] === names[index]
      ? `${key} = ${bind(range?.from)}`
      : `(${key} >= ${bind(range?.from)} and ${key} < ${bind(range?.to)})`,
  );
  return `(${conditions.join(" or ")})`;
}
