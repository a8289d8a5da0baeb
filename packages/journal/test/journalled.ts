import { fileJournal, type JournalRecord, withJournal } from "@fs/journal";
import { MemoryBackend, runAsCaller } from "@fs/protocol";

export { bytes, contents, statuses } from "@fs/test-servers/contents";

/** A backend with a journal, and what is below both. */
export function journalled(base = new MemoryBackend(), kept = new MemoryBackend()) {
  const files = withJournal(base, { store: fileJournal(kept) });
  return { base, kept, files, journal: files.journal };
}

/** Runs a task in a turn. */
export const as = <T>(turnId: string, task: () => Promise<T>, actor = "agent"): Promise<T> =>
  runAsCaller({ actor, turnId }, task);

/** What records say: how each call ended, by whom, and the sizes before and after. */
export const summary = (records: readonly JournalRecord[] = []): unknown[] =>
  records.map(({ method, outcome, caller, changes }) => [
    method,
    outcome,
    caller.actor,
    changes.map(({ path, before, after }) => [path, before?.size ?? null, after?.size ?? null]),
  ]);
