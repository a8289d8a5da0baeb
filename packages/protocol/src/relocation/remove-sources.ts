import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { isCode, isUncertain } from "../errors/certainty.js";
import { VolumeError } from "../errors/volume-error.js";
import { type Arrival, named, sameBytes } from "./copy-files.js";
import { LOOKS_AT_ONCE, type RelocationEnd } from "./ends.js";
import { lookAgain, removalBatches } from "./late-sources.js";
import { mayBeGone, mayBeOneFile, oneFile } from "./one-file.js";
import { mayBeLost, putBackLost, storeAgain } from "./put-back.js";
import { readEach } from "./read-each.js";
import type { Relocation } from "./relocate.js";
import { withoutAliases } from "./without-aliases.js";
import { bothMayExist, type Refused, takeBackRefused } from "./take-back.js";

/**
 * The second half of a move: removes each source in the version that was copied. A source that has changed stays, and its
 * copy is taken back. Where the storage does not say whether it removed the source, nothing is undone.
 *
 * @returns The errors, one for each source that is not certainly gone.
 */
export async function removeSources(
  { source, undo, signal }: Pick<Relocation, "source" | "undo" | "signal">,
  arrivals: readonly Arrival[],
): Promise<unknown[]> {
  const { removable, refused: aliases } = await withoutAliases(undo, signal, arrivals);
  const errors = await takeBackRefused(undo, aliases);
  const ready = await stillTheSame(source, undo, removable, errors);
  const { inDoubt: removed, refused, unknown } = await removeUnchanged(source, undo, ready);
  errors.push(...unknown, ...(await putBackLost(undo, removed)));
  errors.push(...(await takeBackRefused(undo, refused)));
  // Where the removal was on no condition, or on one that the copy meets as well, it may have been that of the copy.
  const inDoubt = ready.filter(
    (arrival) =>
      (mayBeOneFile(arrival) && arrival.writeId === undefined) ||
      arrival.version === undefined ||
      arrival.sourceVersion === undefined ||
      !source.versioned(arrival.leg.from),
  );
  const takenBack = new Set(refused.map(({ arrival }) => arrival));
  errors.push(...(await restoreLost(undo, inDoubt, takenBack)));
  return errors;
}

/**
 * Removes sources as they were copied. Returns what has moved unless its copy is gone, what certainly has not moved, and an error for
 * each that the storage did not say.
 */
async function removeUnchanged(
  source: RelocationEnd,
  undo: RelocationEnd,
  arrivals: readonly Arrival[],
): Promise<{ inDoubt: Arrival[]; refused: Refused[]; unknown: VolumeError[] }> {
  const [inDoubt, refused, unknown]: [Arrival[], Refused[], VolumeError[]] = [[], [], []];
  for (const batch of removalBatches(arrivals)) {
    const begunAt = performance.now();
    const { same, changed } = await lookAgain(undo, batch);
    refused.push(...changed);
    const removed = await source.remove(
      same.map(({ leg, sourceVersion }) => [leg.from, sourceVersion]),
    );
    for (const [index, arrival] of same.entries()) {
      const { from, to } = arrival.leg;
      const outcome = removed[index];
      if (outcome?.status === "fulfilled" && outcome.value) {
        if (mayBeLost(arrival, begunAt)) inDoubt.push(arrival);
      } else if (outcome?.status === "fulfilled")
        refused.push({ arrival, error: new VolumeError("conflict", undefined, { path: from }) });
      else if (isUncertain(outcome?.reason)) unknown.push(bothMayExist(from, to, outcome?.reason));
      else refused.push({ arrival, error: named(outcome?.reason, from) });
    }
  }
  return { inDoubt, refused, unknown };
}

/**
 * Without versions a source is read again just before it is removed, and one that has changed is left alone. Weaker than a
 * version: a change between the two calls is lost.
 */
async function stillTheSame(
  source: RelocationEnd,
  undo: RelocationEnd,
  arrivals: readonly Arrival[],
  errors: unknown[],
): Promise<Arrival[]> {
  const blind = arrivals.filter(({ leg }) => !source.versioned(leg.from));
  if (blind.length === 0) return [...arrivals];
  const legs = blind.map(({ leg }) => leg);
  const same = await readEach(
    source,
    "from",
    legs,
    (read, index) =>
      read?.status === "fulfilled" && sameBytes(read.value.bytes, blind[index]?.bytes),
  );
  const changed = blind.filter((_, index) => same[index] !== true);
  errors.push(
    ...(await takeBackRefused(
      undo,
      changed.map((arrival) => ({
        arrival,
        error: new VolumeError("conflict", undefined, { path: arrival.leg.from }),
      })),
    )),
  );
  return arrivals.filter((arrival) => !changed.includes(arrival));
}

/**
 * Without versions, two paths of one file show only now: what went with its source is stored again, and was not moved. A copy
 * that was taken back is stored again only if its source is gone too. Without versions it is not known whether another call
 * removed that source or this one did, and one file too many is better than a lost one.
 *
 * @returns An error for each.
 */
async function restoreLost(
  undo: RelocationEnd,
  arrivals: readonly Arrival[],
  takenBack: ReadonlySet<Arrival>,
): Promise<VolumeError[]> {
  const absent = await withoutFile(undo, "to", arrivals);
  const gone = new Set(
    await withoutFile(
      undo,
      "from",
      absent.filter((arrival) => takenBack.has(arrival)),
    ),
  );
  const lost = absent.filter((arrival) => !takenBack.has(arrival) || gone.has(arrival));
  return mapConcurrently(lost, LOOKS_AT_ONCE, async (arrival) => {
    const { from, to } = arrival.leg;
    const error = await storeAgain(undo, arrival, to);
    return error === undefined || isCode(error, "already_exists")
      ? oneFile(from, to)
      : mayBeGone(from, to, error);
  });
}

/** Those of which there is nothing at one of their paths. */
async function withoutFile(
  end: RelocationEnd,
  side: "from" | "to",
  arrivals: readonly Arrival[],
): Promise<Arrival[]> {
  if (arrivals.length === 0) return [];
  const legs = arrivals.map(({ leg }) => leg);
  const absent = await readEach(
    end,
    side,
    legs,
    (read) => read?.status === "rejected" && isCode(read.reason, "not_found"),
  );
  return arrivals.filter((_, index) => absent[index]);
}
