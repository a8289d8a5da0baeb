import { delay } from "../concurrency/delay.js";
import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import { isCode } from "../errors/certainty.js";
import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import { type Arrival, named } from "./copy-files.js";
import type { RelocationEnd, Standing } from "./ends.js";
import type { Refused } from "./take-back.js";

/** Longer than the clock of any storage takes for a tick. */
const CLOCK_TICK_MS = 1100;

/** Sources looked at together. */
const WIDTH = 16;

/**
 * Leaves out arrivals whose destination is the very file that their source is, reached by another path: removing the source
 * would remove the only copy. A storage whose versions are counters shows that by itself, because storing the copy has
 * changed the version of the source. Where a version is a hash of the content it has not: the copy is then stored once more,
 * unchanged, and a source that has become newer by that is it.
 *
 * @param undo Goes on when the signal has fired: a copy that was stored once more is known by its new version only.
 */
export async function withoutAliases(
  undo: RelocationEnd,
  signal: AbortSignal | undefined,
  arrivals: readonly Arrival[],
): Promise<{ removable: Arrival[]; refused: Refused[] }> {
  const suspects = arrivals.filter(mayBeOneFile);
  if (suspects.length === 0) return { removable: [...arrivals], refused: [] };
  const before = await standings(undo, suspects);
  const waited = await outcomeOf(() => delay(CLOCK_TICK_MS, signal));
  if (waited.status === "rejected")
    return {
      removable: [],
      refused: arrivals.map((arrival) => ({ arrival, error: waited.reason })),
    };
  const touched = await undo.put(
    suspects.map(({ leg, bytes = new Uint8Array(), version }) => [
      leg.to,
      bytes,
      version === undefined ? undefined : { ifVersion: version },
    ]),
  );
  const after = await standings(undo, suspects);
  const judged = new Map<Arrival, Arrival | Refused>();
  for (const [index, arrival] of suspects.entries())
    judged.set(arrival, judge(arrival, before[index], touched[index], after[index]));
  const removable: Arrival[] = [];
  const refused: Refused[] = [];
  for (const arrival of arrivals) {
    const verdict = judged.get(arrival) ?? arrival;
    if ("error" in verdict) refused.push(verdict);
    else if (signal?.aborted === true)
      refused.push({ arrival: verdict, error: new VolumeError("aborted") });
    else removable.push(verdict);
  }
  return { removable, refused };
}

/** Whether source and destination have one version although one was stored over the other: a hash of the same content. */
export function mayBeOneFile({ replaced, sourceVersion, version }: Arrival): boolean {
  return replaced !== undefined && version !== undefined && version === sourceVersion;
}

export function oneFile(from: string, to: string): VolumeError {
  return new VolumeError(
    "conflict",
    `${quote(from)} and ${quote(to)} are one file in one storage: there is nothing to move.`,
    { path: from },
  );
}

type Look = PromiseSettledResult<Standing | undefined> | undefined;

/** The arrival in the version that it has now where it is a file of its own, else why its source must stay. */
function judge(
  arrival: Arrival,
  before: Look,
  touched: PromiseSettledResult<{ readonly version?: string | undefined } | undefined> | undefined,
  after: Look,
): Arrival | Refused {
  const { from, to } = arrival.leg;
  if (touched?.status !== "fulfilled") {
    // Somebody has changed the copy since. Were it the source too, that would have another version by now, and stay.
    if (isCode(touched?.reason, "conflict", "not_found")) return arrival;
    return { arrival, error: named(touched?.reason, to) };
  }
  const now = { ...arrival, version: touched.value?.version ?? arrival.version };
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
  return mapConcurrently(arrivals, WIDTH, ({ leg }) => outcomeOf(() => end.stat(leg.from)));
}
