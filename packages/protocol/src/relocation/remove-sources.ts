import { delay } from "../concurrency/delay.js";
import { isCode, isUncertain } from "../errors/certainty.js";
import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import { type Arrival, named, sameBytes } from "./copy-files.js";
import type { RelocationEnd } from "./ends.js";
import type { Relocation } from "./relocate.js";
import { takeBack } from "./take-back.js";

/**
 * The second half of a move: removes each source in the version that was copied. A source that has changed stays, and its
 * copy is taken back. Where the storage does not say whether it removed the source, nothing is undone.
 *
 * @returns The errors, one for each source that is not certainly gone.
 */
export async function removeSources(
  { source, target, undo }: Pick<Relocation, "source" | "target" | "undo">,
  arrivals: readonly Arrival[],
): Promise<unknown[]> {
  const { removable, errors } = await withoutAliases(source, target, arrivals);
  const ready = await stillTheSame(source, undo, removable, errors);
  const removed = await source.remove(
    ready.map(({ leg, sourceVersion }) => [leg.from, sourceVersion]),
  );
  const refused: Array<{ arrival: Arrival; error: unknown }> = [];
  for (const [index, arrival] of ready.entries()) {
    const { from, to } = arrival.leg;
    const outcome = removed[index];
    if (outcome?.status === "fulfilled") {
      if (!outcome.value)
        refused.push({ arrival, error: new VolumeError("conflict", undefined, { path: from }) });
    } else if (isUncertain(outcome?.reason)) errors.push(bothMayExist(from, to, outcome?.reason));
    else refused.push({ arrival, error: named(outcome?.reason, from) });
  }
  errors.push(...(await takeBackRefused(undo, refused)));
  // Where the removal was on no condition, or on one that the copy meets as well, it may have been that of the copy.
  const inDoubt = ready.filter(
    (arrival) =>
      mayBeOneFile(arrival) ||
      arrival.version === undefined ||
      arrival.sourceVersion === undefined ||
      !source.versioned(arrival.leg.from),
  );
  const takenBack = new Set(refused.map(({ arrival }) => arrival));
  errors.push(...(await restoreLost(undo, inDoubt, takenBack)));
  return errors;
}

async function takeBackRefused(
  undo: RelocationEnd,
  refused: ReadonlyArray<{ arrival: Arrival; error: unknown }>,
): Promise<unknown[]> {
  if (refused.length === 0) return [];
  const left = new Set(
    await takeBack(
      undo,
      refused.map(({ arrival }) => arrival),
    ),
  );
  return refused.map(({ arrival: { leg }, error }) =>
    left.has(leg.to) ? bothMayExist(leg.from, leg.to, error) : error,
  );
}

/**
 * Leaves out arrivals whose destination is the very file that their source is, reached by another path: removing the source
 * would remove the only copy. A storage whose versions are counters shows that by itself, because storing the copy has
 * changed the version of the source. Where a version is a hash of the content it has not, and the time of the source decides.
 */
async function withoutAliases(
  source: RelocationEnd,
  target: RelocationEnd,
  arrivals: readonly Arrival[],
): Promise<{ removable: Arrival[]; errors: unknown[] }> {
  const removable: Arrival[] = [];
  const errors: unknown[] = [];
  for (const arrival of arrivals) {
    const { leg } = arrival;
    if (mayBeOneFile(arrival) && (await isSameFile(source, target, arrival)))
      errors.push(oneFile(leg.from, leg.to));
    else removable.push(arrival);
  }
  return { removable, errors };
}

/** Whether source and destination have one version although one was stored over the other: a hash of the same content. */
function mayBeOneFile({ replaced, sourceVersion, version }: Arrival): boolean {
  return replaced !== undefined && version !== undefined && version === sourceVersion;
}

/** Longer than the clock of any storage takes for a tick. */
const CLOCK_TICK_MS = 1100;

/** Stores the copy once more, unchanged, and looks whether the source has become newer by it. Unknown times count as yes. */
async function isSameFile(
  source: RelocationEnd,
  target: RelocationEnd,
  { leg, bytes = new Uint8Array(), version }: Arrival,
): Promise<boolean> {
  const before = (await source.stat(leg.from))?.modifiedAt;
  await delay(CLOCK_TICK_MS);
  const condition = version === undefined ? undefined : { ifVersion: version };
  const [touched] = await target.put([[leg.to, bytes, condition]]);
  if (touched?.status !== "fulfilled") return true;
  const after = (await source.stat(leg.from))?.modifiedAt;
  return before === undefined || before !== after;
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
  const now = await source.get(blind.map(({ leg }) => leg.from));
  const changed = blind.filter(({ bytes }, index) => {
    const read = now[index];
    return read?.status !== "fulfilled" || !sameBytes(read.value.bytes, bytes);
  });
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
  if (lost.length === 0) return [];
  await undo.put(
    lost.flatMap(({ leg, bytes }) =>
      bytes === undefined ? [] : [[leg.to, bytes, { ifAbsent: true }] as const],
    ),
  );
  return lost.map(({ leg }) => oneFile(leg.from, leg.to));
}

/** Those of which there is nothing at one of their paths. */
async function withoutFile(
  end: RelocationEnd,
  side: "from" | "to",
  arrivals: readonly Arrival[],
): Promise<Arrival[]> {
  if (arrivals.length === 0) return [];
  const now = await end.get(arrivals.map(({ leg }) => leg[side]));
  return arrivals.filter((_, index) => {
    const read = now[index];
    return read?.status === "rejected" && isCode(read.reason, "not_found");
  });
}

function oneFile(from: string, to: string): VolumeError {
  return new VolumeError(
    "conflict",
    `${quote(from)} and ${quote(to)} are one file in one storage: there is nothing to move.`,
    { path: from },
  );
}

function bothMayExist(from: string, to: string, cause: unknown): VolumeError {
  return new VolumeError(
    "unavailable",
    `${quote(from)} was copied to ${quote(to)}, but whether the source is gone is not known: the file may exist at both paths. Compare them before you remove one.`,
    { path: from, cause },
  );
}
