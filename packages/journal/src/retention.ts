import type { JournalStore } from "./journal-store.js";
import { type JournalRecord, recordsOf, timeOfId } from "./record.js";

/** Which records to keep. A record that any of these drops is dropped. */
export interface RetentionPolicy {
  /** Milliseconds: records that are older go. */
  readonly maxAgeMs?: number;
  /** Records at most: the oldest go. */
  readonly maxRecords?: number;
  /**
   * Milliseconds that a content is kept at least after it was stored, so that a call under way, whose record is not there
   * yet, finds its own. Default one hour.
   */
  readonly graceMs?: number;
}

const HOUR = 3_600_000;

/** Drops old records, then contents that no record names any more. Returns how many of each. */
export async function prune(
  store: JournalStore,
  { maxAgeMs = Infinity, maxRecords = Infinity, graceMs = HOUR }: RetentionPolicy,
): Promise<{ records: number; contents: number }> {
  const records = recordsOf(await store.read({}));
  const oldest = Date.now() - maxAgeMs;
  const dropped = records.filter(
    ({ id }, index) => timeOfId(id) < oldest || index < records.length - maxRecords,
  );
  await store.remove(dropped.map(({ id }) => id));
  return { records: dropped.length, contents: await collect(store, graceMs) };
}

/** Contents are listed before records are read, so that one that is stored meanwhile is never taken for unused. */
async function collect(store: JournalStore, graceMs: number): Promise<number> {
  const kept = await store.blobs.list();
  const entries = await store.read({});
  const named = new Set(
    entries.flatMap(({ changes }) =>
      changes.flatMap(({ before, after }) => [before?.hash, after?.hash]),
    ),
  );
  let removed = 0;
  for (const { hash, storedAt } of kept) {
    const age = storedAt === undefined ? 0 : Date.now() - Date.parse(storedAt);
    if (named.has(hash) || age < graceMs) continue;
    if (await store.blobs.remove(hash)) removed++;
  }
  return removed;
}

/** Removes the contents of a record from the journal, where no other record has them; the record stays. */
export async function redact(store: JournalStore, id: string): Promise<number> {
  const records: JournalRecord[] = recordsOf(await store.read({}));
  const shared = new Set(hashes(records.filter((record) => record.id !== id)));
  const own = new Set(hashes(records.filter((record) => record.id === id)));
  let removed = 0;
  for (const hash of own) {
    if (hash !== undefined && !shared.has(hash) && (await store.blobs.remove(hash))) removed++;
  }
  return removed;
}

function hashes(records: readonly JournalRecord[]): Array<string | undefined> {
  return records.flatMap(({ changes }) =>
    changes.flatMap(({ before, after }) => [before?.hash, after?.hash]),
  );
}
