import { delay } from "../concurrency/delay.js";
import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import { VolumeError } from "../errors/volume-error.js";
import { CLOCK_TICK_MS } from "./by-time.js";
import { type Arrival, named } from "./copy-files.js";
import { LOOKS_AT_ONCE, type RelocationEnd, type Standing } from "./ends.js";
import { isRewritten } from "./late-sources.js";
import { oneFile, storedOverItself } from "./one-file.js";
import type { Verdict } from "./take-back.js";

/** Whether a copy was put over a file by a write that can be told from others of the same content. */
export function isNamedOverwrite({ replaced, writeId }: Arrival): boolean {
  return replaced !== undefined && writeId !== undefined;
}

/**
 * Looks, just before its source is removed, whether a copy is the very file that its source is, and whether it is still there where
 * the same content stood there before. That was stored by another call that may be a move of the same file: it takes back what it
 * stored when it finds the file changed, by a version that this copy has too. The last of them that stored is the one that moves.
 * Or another call moves that file away, and removes it by that version within a tick of the clock, which is waited for.
 *
 * @returns The arrival, without the name of its write where nothing answers that, or why its source must stay.
 */
export async function judgeByWriteId(
  undo: RelocationEnd,
  signal: AbortSignal | undefined,
  arrivals: readonly Arrival[],
): Promise<Verdict[]> {
  const waits = arrivals.some((arrival) => storedOverItself(arrival));
  const waited = await outcomeOf(async () => (waits ? delay(CLOCK_TICK_MS, signal) : undefined));
  if (waited.status === "rejected")
    return arrivals.map((arrival) => ({ arrival, error: waited.reason }));
  return mapConcurrently(arrivals, LOOKS_AT_ONCE, async (arrival) => {
    const { from, to } = arrival.leg;
    const seenAt = performance.now();
    const source = await outcomeOf(() => undo.stat(from));
    if (source.status === "rejected") return { arrival, error: named(source.reason, from) };
    if (isOf(source.value, arrival)) return { arrival, error: oneFile(from, to) };
    if (isRewritten(source.value, arrival))
      return { arrival, error: new VolumeError("conflict", undefined, { path: from }) };
    // Nothing is there, or nothing that names its write: what is at the destination shows which of them.
    const answers = source.value?.writeId !== undefined;
    if (answers && !storedOverItself(arrival)) return { ...arrival, seenAt };
    const copy = await outcomeOf(() => undo.stat(to));
    if (copy.status === "rejected") return { arrival, error: named(copy.reason, to) };
    if (copy.value?.kind === "file" && copy.value.writeId === undefined)
      return { ...arrival, writeId: undefined };
    return storedOverItself(arrival) && !isOf(copy.value, arrival)
      ? { arrival, error: new VolumeError("conflict", undefined, { path: to }) }
      : { ...arrival, seenAt };
  });
}

function isOf(standing: Standing | undefined, { writeId }: Arrival): boolean {
  return standing?.kind === "file" && standing.writeId === writeId;
}
