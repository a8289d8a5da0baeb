import type { Change } from "@fs/changes";
import type { JournalRecord } from "./record.js";

/** A record of a file, and what it did to it, under the name that the file had then. */
export interface FileStep {
  readonly record: JournalRecord;
  readonly change: Change;
}

/** The records of one file, followed over its moves, oldest first. */
export function historyOf(records: readonly JournalRecord[], path: string): FileStep[] {
  const history: FileStep[] = [];
  let at = path;
  for (const record of records.toReversed()) {
    const change = record.changes.find((one) => one.path === at);
    if (change === undefined) continue;
    history.push({ record, change });
    if (change.from !== undefined && record.outcome === "done") at = change.from;
  }
  return history.toReversed();
}

/** A record of a file that had another name then, as if it had been this one. */
export function followed({ record, change }: FileStep, path: string): JournalRecord {
  const { from, after } = change;
  const source = record.changes.find((one) => one.path === from);
  // What was moved here held what it holds now, not what it came over.
  const before = from === undefined ? change.before : (source?.before ?? after);
  return { ...record, changes: [{ path, before, after }] };
}
