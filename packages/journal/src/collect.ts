import type { Change } from "@fs/changes";
import { isCode } from "@fs/protocol/author";
import type { JournalStore } from "./journal-store.js";
import { recordsOf } from "./record.js";

/** Bytes that are held at most until it is known that they are not needed any more. */
const MAX_HELD = 64 * 1024 * 1024;

/**
 * Removes contents that no record names and that are older than a grace period. Returns how many. They are listed before
 * records are read, so that one that is stored meanwhile is never taken for unused.
 *
 * @param others Hashes of contents that stay as well.
 */
export async function collect(
  store: JournalStore,
  graceMs: number,
  others: readonly string[],
): Promise<number> {
  const kept = await store.blobs.list();
  const named = new Set([...(await namedContents(store)), ...others]);
  const unused = kept.filter(({ hash, storedAt }) => {
    const age = storedAt === undefined ? 0 : Date.now() - Date.parse(storedAt);
    return !named.has(hash) && age >= graceMs;
  });
  let removed = 0;
  let held = new Map<string, Uint8Array | undefined>();
  let bytes = 0;
  for (const { hash, storedAt } of unused) {
    if (store.removeUnchanged !== undefined && storedAt !== undefined) {
      if (await store.removeUnchanged(hash, storedAt)) removed++;
      continue;
    }
    const content = await readable(store, hash);
    if (!(await store.blobs.remove(hash))) continue;
    held.set(hash, content);
    bytes += content?.length ?? 0;
    if (bytes < MAX_HELD) continue;
    removed += await settleRemoval(store, held);
    [held, bytes] = [new Map(), 0];
  }
  return removed + (await settleRemoval(store, held));
}

/** Puts back what an entry names by now: it was stored between the look and the removal. Returns how many stay removed. */
async function settleRemoval(
  store: Pick<JournalStore, "blobs" | "read">,
  held: ReadonlyMap<string, Uint8Array | undefined>,
): Promise<number> {
  if (held.size === 0) return 0;
  const named = await namedContents(store);
  const wanted = [...held].flatMap(([hash, content]) =>
    content !== undefined && named.has(hash) ? [content] : [],
  );
  if (wanted.length > 0) await store.blobs.put(wanted);
  return held.size - wanted.length;
}

/** A content; `undefined` for one that is damaged, which cannot be restored. */
async function readable(
  { blobs }: Pick<JournalStore, "blobs">,
  hash: string,
): Promise<Uint8Array | undefined> {
  try {
    return await blobs.get(hash);
  } catch (error) {
    if (isCode(error, "unavailable")) return undefined;
    throw error;
  }
}

async function namedContents(store: Pick<JournalStore, "read">): Promise<Set<string>> {
  const entries = await store.read({});
  // A beginning names what its end may not, and a record what only another one knows the hash of.
  return new Set(hashesOf([...entries, ...recordsOf(entries)]));
}

/** The hashes of the contents that records or entries name. */
export function hashesOf(
  records: ReadonlyArray<{ readonly changes: readonly Change[] }>,
): string[] {
  return records.flatMap(({ changes }) =>
    changes.flatMap(({ before, after }) => [before?.hash ?? [], after?.hash ?? []].flat()),
  );
}
