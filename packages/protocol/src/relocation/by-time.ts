import { delay } from "../concurrency/delay.js";
import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import { isCode } from "../errors/certainty.js";
import { VolumeError } from "../errors/volume-error.js";
import type { VolumePut } from "../spi/volume.js";
import { type Arrival, named } from "./copy-files.js";
import { LOOKS_AT_ONCE, type RelocationEnd, type Standing } from "./ends.js";
import { mayBeOneFile, oneFile, storedOverItself } from "./one-file.js";
import type { Verdict } from "./take-back.js";

/** Longer than the clock of any storage takes for a tick. */
export const CLOCK_TICK_MS = 1100;

/** Stores copies once more after a tick of the clock, and looks whether that has made their sources newer. */
export async function judgeByTime(
  undo: RelocationEnd,
  signal: AbortSignal | undefined,
  suspects: readonly Arrival[],
): Promise<Verdict[]> {
  if (suspects.length === 0) return [];
  const before = await standings(undo, suspects);
  const waited = await outcomeOf(() => delay(CLOCK_TICK_MS, signal));
  if (waited.status === "rejected")
    return suspects.map((arrival) => ({ arrival, error: waited.reason }));
  const touched = await undo.put(
    suspects.map(({ leg, bytes = new Uint8Array(), version }) => [
      leg.to,
      bytes,
      version === undefined ? undefined : { ifVersion: version },
    ]),
  );
  const after = await standings(undo, suspects);
  return suspects.map((arrival, index) =>
    judge(arrival, before[index], touched[index], after[index]),
  );
}

type Look = PromiseSettledResult<Standing | undefined> | undefined;

/** The arrival in the version that it has now where it is a file of its own, else why its source must stay. */
function judge(
  arrival: Arrival,
  before: Look,
  touched: PromiseSettledResult<VolumePut | undefined> | undefined,
  after: Look,
): Verdict {
  const { from, to } = arrival.leg;
  if (touched?.status !== "fulfilled") {
    if (!isCode(touched?.reason, "conflict", "not_found"))
      return { arrival, error: named(touched?.reason, to) };
    // Another call has changed the copy since. Were it the source too, that would have another version by now, and stay. One that
    // stored the same content before may have taken back what it stored, and this copy with it.
    return storedOverItself(arrival)
      ? { arrival, error: new VolumeError("conflict", undefined, { path: to }) }
      : arrival;
  }
  const now = { ...arrival, version: touched.value?.version ?? arrival.version };
  if (!mayBeOneFile(arrival)) return now;
  for (const look of [before, after])
    if (look?.status !== "fulfilled") return { arrival: now, error: named(look?.reason, from) };
  const [was, is] = [standing(before), standing(after)];
  // One that others have removed or changed is recognized by its version: its removal is refused.
  if (is?.kind !== "file") return now;
  if (is.version !== undefined && is.version !== arrival.sourceVersion) return now;
  const same = was?.modifiedAt !== undefined && was.modifiedAt === is.modifiedAt;
  return same ? now : { arrival: now, error: oneFile(from, to) };
}

function standing(look: Look): Standing | undefined {
  return look?.status === "fulfilled" ? look.value : undefined;
}

/** What is at the sources now. */
function standings(
  end: RelocationEnd,
  arrivals: readonly Arrival[],
): Promise<Array<PromiseSettledResult<Standing | undefined>>> {
  return mapConcurrently(arrivals, LOOKS_AT_ONCE, ({ leg }) => outcomeOf(() => end.stat(leg.from)));
}
