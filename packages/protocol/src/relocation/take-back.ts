import { isCode } from "../errors/certainty.js";
import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import type { Arrival } from "./copy-files.js";
import { sameBytes } from "./copy-files.js";
import type { RelocationEnd } from "./ends.js";
import { readEach } from "./read-each.js";

/**
 * Takes copies back: restores what each replaced, and removes the others, only in the version that the call stored. A copy
 * that was changed since belongs to whoever changed it, and stays. Returns the destinations where a copy may have stayed
 * because the storage did not say.
 */
export async function takeBack(
  undo: RelocationEnd,
  arrivals: readonly Arrival[],
): Promise<string[]> {
  const { own, unread } = await ownCopies(undo, arrivals);
  const replacing = own.filter(({ replaced }) => replaced !== undefined);
  const created = own.filter(({ replaced }) => replaced === undefined);
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
  const removed = await undo.remove(created.map(({ leg, version }) => [leg.to, version]));
  return [
    ...unsettled(restored, replacing),
    ...unsettled(removed, created),
    ...unread.map(({ leg }) => leg.to),
  ];
}

/** Where the storage did not say whether the copy was taken back. One that another call has changed was not to be. */
function unsettled(
  outcomes: ReadonlyArray<PromiseSettledResult<unknown>>,
  arrivals: readonly Arrival[],
): string[] {
  return arrivals.flatMap(({ leg }, index) => {
    const outcome = outcomes[index];
    const settled =
      outcome?.status === "fulfilled" || isCode(outcome?.reason, "conflict", "not_found");
    return settled ? [] : [leg.to];
  });
}

interface OwnCopies {
  readonly own: readonly Arrival[];
  /** Where the storage did not say what it is: these stay too. */
  readonly unread: readonly Arrival[];
}

/** The copies that are still the call's own. Versions decide that with the change itself; without them, bytes are compared. */
async function ownCopies(undo: RelocationEnd, arrivals: readonly Arrival[]): Promise<OwnCopies> {
  const unversioned = arrivals.filter(({ version }) => version === undefined);
  if (unversioned.length === 0) return { own: arrivals, unread: [] };
  const legs = unversioned.map(({ leg }) => leg);
  const looks = await readEach(undo, "to", legs, (read, index) => {
    if (read?.status === "fulfilled")
      return sameBytes(read.value.bytes, unversioned[index]?.bytes) ? "own" : "changed";
    return isCode(read?.reason, "not_found", "is_directory") ? "changed" : "unread";
  });
  const others = new Set(unversioned.filter((_, index) => looks[index] !== "own"));
  return {
    own: arrivals.filter((arrival) => !others.has(arrival)),
    unread: unversioned.filter((_, index) => looks[index] === "unread"),
  };
}

/** A copy whose source was certainly not removed, and why. */
export interface Refused {
  readonly arrival: Arrival;
  readonly error: unknown;
}

/** Takes back the copies of sources that stay. Returns an error for each. */
export async function takeBackRefused(
  undo: RelocationEnd,
  refused: readonly Refused[],
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

export function bothMayExist(from: string, to: string, cause: unknown): VolumeError {
  return new VolumeError(
    "unavailable",
    `${quote(from)} was copied to ${quote(to)}, but whether the source is gone is not known: the file may exist at both paths. Compare them before you remove one.`,
    { path: from, cause },
  );
}
