import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import { isCode } from "../errors/certainty.js";
import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import type { VolumePut } from "../spi/volume.js";
import type { Arrival } from "./copy-files.js";
import { type Leg, LOOKS_AT_ONCE, type RelocationEnd } from "./ends.js";
import { isRewritten } from "./late-sources.js";
import { type Judged, judgeCopies, sourceOf } from "./own-copies.js";

/** A copy that was not, or not certainly, taken back. */
export interface Left {
  readonly leg: Leg;
  /** It stays, because it may be of another call that has moved the same file here, and all that is left of it. */
  readonly stays: boolean;
}

/**
 * Takes copies back: restores what each replaced, and removes the others, only in the version that the call stored. A copy
 * that was changed since belongs to whoever changed it, and stays. Returns those that may have stayed because the storage did not say,
 * and those that stay because it cannot.
 */
export async function takeBack(undo: RelocationEnd, arrivals: readonly Arrival[]): Promise<Left[]> {
  const judged = await judgeCopies(undo, arrivals);
  const own = judged.filter(({ owner }) => owner === "own");
  const over = own.filter(({ arrival }) => arrival.replaced !== undefined);
  const replacing = over.map(({ arrival }) => arrival);
  const created = own.flatMap(({ arrival }) => (arrival.replaced === undefined ? arrival : []));
  const restored = await undo.put(
    replacing.map(
      ({ leg, replaced, version }) =>
        [
          leg.to,
          replaced?.bytes ?? new Uint8Array(),
          version === undefined ? undefined : { ifVersion: version },
        ] as const,
    ),
  );
  const lost = await storeLostAgain(undo, over, restored);
  const removed = await undo.remove(created.map(({ leg, version }) => [leg.to, version]));
  return [
    ...unsettled(restored, replacing),
    ...lost,
    ...unsettled(removed, created),
    ...judged.flatMap(({ arrival: { leg }, owner }) =>
      owner === "unread" || owner === "unclear" ? { leg, stays: owner === "unclear" } : [],
    ),
  ];
}

/**
 * Stores copies again whose source has gone while what they replaced was restored: between the look at a copy and the change, another
 * call may have stored the same content and moved it. Only where versions are hashes of the content, as what was restored shows.
 */
async function storeLostAgain(
  undo: RelocationEnd,
  over: readonly Judged[],
  restored: ReadonlyArray<PromiseSettledResult<VolumePut | undefined>>,
): Promise<Left[]> {
  const doubtful = over.flatMap(({ arrival, mayStillMove }, index) => {
    const now = restored[index];
    const version = now?.status === "fulfilled" ? now.value?.version : undefined;
    const hashed = version !== undefined && version === arrival.replaced?.version;
    return mayStillMove === true && hashed ? [{ arrival, version }] : [];
  });
  const left = await mapConcurrently(doubtful, LOOKS_AT_ONCE, async ({ arrival, version }) => {
    const { leg, bytes = new Uint8Array() } = arrival;
    const source = await sourceOf(undo, arrival);
    if (source === "there") return [];
    if (source === "unread") return [{ leg, stays: false }];
    const [stored] = await undo.put([[leg.to, bytes, { ifVersion: version }]]);
    if (stored?.status === "fulfilled") return [{ leg, stays: true }];
    return isCode(stored?.reason, "conflict", "not_found") ? [] : [{ leg, stays: false }];
  });
  return left.flat();
}

/** Where the storage did not say whether the copy was taken back. One that another call has changed was not to be. */
function unsettled(
  outcomes: ReadonlyArray<PromiseSettledResult<unknown>>,
  arrivals: readonly Arrival[],
): Left[] {
  return arrivals.flatMap(({ leg }, index) => {
    const outcome = outcomes[index];
    const settled =
      outcome?.status === "fulfilled" || isCode(outcome?.reason, "conflict", "not_found");
    return settled ? [] : [{ leg, stays: false }];
  });
}

/** A copy whose source was certainly not removed by the call, and why. */
export interface Refused {
  readonly arrival: Arrival;
  readonly error: unknown;
}

/** A copy as it is known now, or why its source must stay. */
export type Verdict = Arrival | Refused;

/** Takes back the copies of sources that stay. Returns an error for each, but for files that another call has moved back. */
export async function takeBackRefused(
  undo: RelocationEnd,
  refused: readonly Refused[],
): Promise<unknown[]> {
  if (refused.length === 0) return [];
  const isCreated = ({ arrival }: Refused): boolean => arrival.replaced === undefined;
  const created = await movedBack(undo, refused.filter(isCreated));
  const left = await takeBack(
    undo,
    refused.map(({ arrival }) => arrival),
  );
  // What a copy replaced is there again once it is taken back: where nothing is, another call has removed it before.
  const over = await movedBack(
    undo,
    refused.filter((one) => !isCreated(one)),
  );
  const byDestination = new Map(left.map(({ leg, stays }) => [leg.to, stays]));
  return refused.flatMap((one) => {
    const { leg } = one.arrival;
    const stays = byDestination.get(leg.to);
    if (stays === true) return onlyCopy(leg, one.error);
    if (stays === false) return bothMayExist(leg.from, leg.to, one.error);
    return created.has(one) || over.has(one) ? [] : [one.error];
  });
}

/**
 * Refused moves that have happened all the same: the copy is gone, and where the source was, another call has stored the same. As a
 * rule that call has moved the copy back, and is acknowledged: it has come after this one.
 */
async function movedBack(
  undo: RelocationEnd,
  refused: readonly Refused[],
): Promise<ReadonlySet<Refused>> {
  const named = refused.filter(
    ({ arrival, error }) =>
      isCode(error, "conflict") &&
      arrival.writeId !== undefined &&
      arrival.sourceWriteId !== undefined,
  );
  const found = await mapConcurrently(named, LOOKS_AT_ONCE, async ({ arrival }) => {
    const copy = await outcomeOf(() => undo.stat(arrival.leg.to));
    if (copy.status === "rejected" || copy.value !== undefined) return false;
    const source = await outcomeOf(() => undo.stat(arrival.leg.from));
    if (source.status === "rejected") return false;
    return source.value?.version === arrival.sourceVersion && isRewritten(source.value, arrival);
  });
  return new Set(named.filter((_, index) => found[index]));
}

export function bothMayExist(from: string, to: string, cause: unknown): VolumeError {
  return new VolumeError(
    "unavailable",
    `${quote(from)} was copied to ${quote(to)}, but whether the source is gone is not known: the file may exist at both paths. Compare them before you remove one.`,
    { path: from, cause },
  );
}

function onlyCopy({ from, to }: Leg, cause: unknown): VolumeError {
  return new VolumeError(
    "unavailable",
    `Another call has removed or moved ${quote(from)} while it was copied to ${quote(to)}. The copy stays, because it may be all that is left of the file.`,
    { path: from, cause },
  );
}
