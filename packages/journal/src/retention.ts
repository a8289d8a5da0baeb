import { checkedConfiguration } from "@fs/protocol/author";
import { collect, hashesOf } from "./collect.js";
import type { JournalStore } from "./journal-store.js";
import { type JournalEntry, type JournalRecord, recordsOf, timeOfId } from "./record.js";
import { changesTo, type Snapshot } from "./snapshot.js";

/** Which records to keep. A record that any of these drops is dropped. */
export interface RetentionPolicy {
  /** Milliseconds: records that are older go. */
  readonly maxAgeMs?: number;
  /** Records at most: the oldest go. */
  readonly maxRecords?: number;
  /** Bytes of the contents that the kept records name, each counted once: the oldest records go until the others fit. */
  readonly maxBytes?: number;
  /**
   * Milliseconds that a content is kept at least after it was stored, so that a call under way, whose record is not there
   * yet, finds its own. Default one hour.
   */
  readonly graceMs?: number;
  /** Snapshots whose contents stay: those that were taken into the `blobs` of the journal's store. Default: none. */
  readonly snapshots?: readonly Snapshot[];
}

const HOUR = 3_600_000;

/**
 * Drops old records, then contents that no record names any more. Returns how many of each. Throws a TypeError for a wrong
 * policy.
 */
export async function prune(
  store: JournalStore,
  policy: RetentionPolicy,
): Promise<{ records: number; contents: number }> {
  checkedConfiguration("prune", policy, {
    maxAgeMs: "milliseconds",
    maxRecords: "count",
    maxBytes: "count",
    graceMs: "milliseconds",
    snapshots: "any",
  });
  const {
    maxAgeMs = Infinity,
    maxRecords = Infinity,
    maxBytes = Infinity,
    graceMs = HOUR,
    snapshots = [],
  } = policy;
  const inSnapshots = hashesOf(snapshots.map(changesTo));
  const entries = await store.read({});
  const records = recordsOf(entries);
  const oldest = Date.now() - maxAgeMs;
  const first = Math.max(records.length - maxRecords, await firstWithin(store, records, maxBytes));
  const dropped = records.filter(({ id }, index) => timeOfId(id) < oldest || index < first);
  await store.remove([...dropped.map(({ id }) => id), ...lostEnds(entries, graceMs)]);
  return { records: dropped.length, contents: await collect(store, graceMs, inSnapshots) };
}

/** The calls whose beginning was dropped while they were under way: the end that came after would never be dropped. */
function lostEnds(entries: readonly JournalEntry[], graceMs: number): string[] {
  const begun = new Set(entries.flatMap(({ phase, id }) => (phase === "begin" ? [id] : [])));
  return entries
    .filter(({ id, time }) => !begun.has(id) && Date.now() - Date.parse(time) >= graceMs)
    .map(({ id }) => id);
}

/** The index of the oldest record that, with all that are younger, names contents of so many bytes at most. */
async function firstWithin(
  store: JournalStore,
  records: readonly JournalRecord[],
  maxBytes: number,
): Promise<number> {
  if (maxBytes === Infinity) return 0;
  const unseen = new Set((await store.blobs.list()).map(({ hash }) => hash));
  let bytes = 0;
  for (const [index, { changes }] of [...records.entries()].toReversed()) {
    for (const side of changes.flatMap(({ before, after }) => [before, after]))
      if (side?.hash !== undefined && unseen.delete(side.hash)) bytes += side.size;
    if (bytes > maxBytes) return index + 1;
  }
  return 0;
}

/**
 * Removes the contents that a record names from the journal, at its beginning, at its end, and by what other records know of
 * them. Other records that name one lose it too: a secret that was corrected is in the record that corrects it as well.
 */
export async function redact(store: JournalStore, id: string): Promise<number> {
  const entries = await store.read({});
  const own = [...entries, ...recordsOf(entries)].filter((one) => one.id === id);
  let removed = 0;
  for (const hash of new Set(hashesOf(own))) if (await store.blobs.remove(hash)) removed++;
  return removed;
}
