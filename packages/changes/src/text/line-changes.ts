import { diffArrays } from "diff";

/** Lines `at` to `at + removed` of the first text, replaced by `lines`. */
export interface LineChange {
  readonly at: number;
  readonly removed: number;
  readonly lines: readonly string[];
}

/** Lines that may differ before a comparison is given up: its time and memory grow with their square. */
const MAX_DIFFERENT_LINES = 1_000;

/** What leads from one list of lines to another, in order; `undefined` when they differ in too many lines to compare. */
export function lineChanges(
  from: readonly string[],
  to: readonly string[],
): LineChange[] | undefined {
  const parts = diffArrays([...from], [...to], { maxEditLength: MAX_DIFFERENT_LINES });
  if (parts === undefined) return undefined;
  const changes: LineChange[] = [];
  let at = 0;
  let open: { at: number; removed: number; lines: string[] } | undefined;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      open = undefined;
      at += value.length;
      continue;
    }
    if (open === undefined) changes.push((open = { at, removed: 0, lines: [] }));
    // One by one: they may be more than a function takes as arguments.
    if (added) for (const line of value) open.lines.push(line);
    else {
      open.removed += value.length;
      at += value.length;
    }
  }
  return changes;
}
