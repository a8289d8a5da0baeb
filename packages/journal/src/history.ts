import type { JournalRecord } from "./record.js";

/** The records of one file, followed over its moves, oldest first. */
export function historyOf(records: readonly JournalRecord[], path: string): JournalRecord[] {
  const history: JournalRecord[] = [];
  let at = path;
  for (const record of records.toReversed()) {
    const change = record.changes.find((one) => one.path === at);
    if (change === undefined) continue;
    history.push(record);
    if (change.from !== undefined && record.outcome === "done") at = change.from;
  }
  return history.toReversed();
}

/** A record of a file that had another name then, as if it had been this one. */
export function followed(record: JournalRecord, path: string): JournalRecord {
  const arrival = record.changes.find((one) => one.path === path);
  const change = arrival ?? record.changes.find(({ after }) => after !== null);
  if (change === undefined) return { ...record, changes: [] };
  const source = record.changes.find((one) => one.path === change.from);
  const before = source === undefined ? change.before : source.before;
  return { ...record, changes: [{ path, before, after: change.after }] };
}
