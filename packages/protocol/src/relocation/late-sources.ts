import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import { VolumeError } from "../errors/volume-error.js";
import { CLOCK_TICK_MS } from "./by-time.js";
import { type Arrival, named } from "./copy-files.js";
import { LOOKS_AT_ONCE, type RelocationEnd, type Standing } from "./ends.js";
import type { Refused } from "./take-back.js";

/** Sources that are looked at, and then removed, at once. */
const BATCH = 64;

/** Sources in batches, each removed soon after a look at it where their storage names its writes. */
export function* removalBatches(arrivals: readonly Arrival[]): Generator<readonly Arrival[]> {
  const size = arrivals.some(({ sourceWriteId }) => sourceWriteId !== undefined)
    ? BATCH
    : Math.max(1, arrivals.length);
  for (let at = 0; at < arrivals.length; at += size) yield arrivals.slice(at, at + size);
}

/**
 * Looks again at sources that were read a while ago. Where versions are hashes, one that another call has moved the same content
 * over since has the version that was read: removing it would remove what that call has moved. Such a call waits for a tick of the
 * clock before it removes its own source, so that what was read within that need not be looked at.
 */
export async function lookAgain(
  undo: RelocationEnd,
  arrivals: readonly Arrival[],
): Promise<{ same: Arrival[]; changed: Refused[] }> {
  const changed: Refused[] = [];
  const seen = await mapConcurrently(arrivals, LOOKS_AT_ONCE, async (arrival) => {
    if (arrival.sourceWriteId === undefined || !isLate(arrival)) return true;
    const { from } = arrival.leg;
    const look = await outcomeOf(() => undo.stat(from));
    if (look.status === "fulfilled" && !isRewritten(look.value, arrival)) return true;
    const error =
      look.status === "rejected"
        ? named(look.reason, from)
        : new VolumeError("conflict", undefined, { path: from });
    changed.push({ arrival, error });
    return false;
  });
  return { same: arrivals.filter((_, index) => seen[index]), changed };
}

function isLate({ seenAt }: Arrival): boolean {
  return performance.now() - seenAt > CLOCK_TICK_MS / 2;
}

/** Whether another write than the one that was copied has stored what is at the source now. */
export function isRewritten(
  standing: Standing | undefined,
  { sourceWriteId }: Pick<Arrival, "sourceWriteId">,
): boolean {
  return (
    standing?.kind === "file" &&
    standing.writeId !== undefined &&
    sourceWriteId !== undefined &&
    standing.writeId !== sourceWriteId
  );
}
