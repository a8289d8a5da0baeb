import type { JournalRecord } from "@fs/journal";
import { printable } from "./printable.js";

/** A recorded call on one line: its ID, when, who, how it ended, what, and on which files. */
export function recordLine({ id, time, caller, outcome, method, changes }: JournalRecord): string {
  const paths = changes.map(({ path }) => printable(path));
  return [id, time, printable(caller.actor ?? "-"), outcome, method, ...paths].join("  ");
}
