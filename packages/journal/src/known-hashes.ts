import type { Change, Side } from "@fs/changes";

/**
 * Records in which a state that was seen by its version alone has the hash that another record gives that version of the
 * file. A state that none names stays without.
 */
export function withKnownHashes<R extends { readonly changes: readonly Change[] }>(
  records: readonly R[],
): R[] {
  if (!records.some(({ changes }) => changes.some(isSeenOnly))) return [...records];
  const known = new Map<string, Side>();
  for (const { path, before, after } of records.flatMap(({ changes }) => changes))
    for (const side of [before, after])
      if (side?.hash !== undefined) known.set(keyOf(path, side), side);
  const named = (change: Change): Change => {
    const { path, before } = change;
    return { ...change, before: before && (known.get(keyOf(path, before)) ?? before) };
  };
  return records.map((record) => ({
    ...record,
    changes: record.changes.map((change) => (isSeenOnly(change) ? named(change) : change)),
  }));
}

/** Whether nothing is known of the state before but its version. */
export function isSeenOnly({ before }: Pick<Change, "before">): boolean {
  return before !== null && before.hash === undefined;
}

function keyOf(path: string, { version = "" }: Side): string {
  return JSON.stringify([path, version]);
}
