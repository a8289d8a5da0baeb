/**
 * A journal of every change on any filesystem backend.
 *
 * @module
 */
export type { BlamedLine } from "./blame.js";
export { fileJournal } from "./file-journal.js";
export type { HistoryOptions, Journal, UndoReport } from "./journal.js";
export type { EntryQuery, JournalStore } from "./journal-store.js";
export type { BeginEntry, EndEntry, JournalEntry, JournalRecord, RecordOutcome } from "./record.js";
export type { RecordSelector } from "./record-selector.js";
export type { JournalErrorListener } from "./recorder.js";
export type { RetentionPolicy } from "./retention.js";
export {
  diffSnapshots,
  parseSnapshot,
  type Snapshot,
  type SnapshotOptions,
  takeSnapshot,
} from "./snapshot.js";
export { type Journalled, type JournalOptions, withJournal } from "./with-journal.js";
