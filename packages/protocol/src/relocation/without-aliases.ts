import { VolumeError } from "../errors/volume-error.js";
import { judgeByTime } from "./by-time.js";
import { isNamedOverwrite, judgeByWriteId } from "./by-write-id.js";
import type { Arrival } from "./copy-files.js";
import type { RelocationEnd } from "./ends.js";
import { mayBeOneFile, storedOverItself } from "./one-file.js";
import type { Refused, Verdict } from "./take-back.js";

/**
 * Leaves out arrivals whose destination is the very file that their source is, reached by another path: removing the source
 * would remove the only copy. A storage whose versions are counters shows that by itself, because storing the copy has
 * changed the version of the source, and one that names its writes by the name of the write. Where a version is a hash of the
 * content and nothing more is known, the copy is stored once more, unchanged, and a source that has become newer by that is it.
 * The same is done where a copy was stored over the same content: what has stored that may take it back, before the tick is over.
 *
 * @param undo Goes on when the signal has fired: a copy that was stored once more is known by its new version only.
 */
export async function withoutAliases(
  undo: RelocationEnd,
  signal: AbortSignal | undefined,
  arrivals: readonly Arrival[],
): Promise<{ removable: Arrival[]; refused: Refused[] }> {
  const verdicts = new Map<Arrival, Verdict>(arrivals.map((arrival) => [arrival, arrival]));
  const note = (judged: readonly Arrival[], found: readonly Verdict[]): void => {
    for (const [index, arrival] of judged.entries()) verdicts.set(arrival, found[index] ?? arrival);
  };
  const unnamed = arrivals.filter((arrival) => isSuspect(arrival));
  note(unnamed, await judgeByTime(undo, signal, unnamed));
  // Last, because what it sees is to be true when the source is removed.
  const overwrites = arrivals.filter(isNamedOverwrite);
  note(overwrites, await judgeByWriteId(undo, signal, overwrites));
  const nameless = overwrites.filter((arrival) => isSuspect(verdicts.get(arrival)));
  note(nameless, await judgeByTime(undo, signal, nameless));
  const removable: Arrival[] = [];
  const refused: Refused[] = [];
  for (const verdict of verdicts.values()) {
    if ("error" in verdict) refused.push(verdict);
    else if (signal?.aborted === true)
      refused.push({ arrival: verdict, error: new VolumeError("aborted") });
    else removable.push(verdict);
  }
  return { removable, refused };
}

function isSuspect(verdict: Verdict | undefined): boolean {
  return (
    verdict !== undefined &&
    !("error" in verdict) &&
    verdict.writeId === undefined &&
    (mayBeOneFile(verdict) || storedOverItself(verdict))
  );
}
