import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import { isCode } from "../errors/certainty.js";
import type { VolumePut } from "../spi/volume.js";
import { CLOCK_TICK_MS } from "./by-time.js";
import { type Arrival, sameBytes } from "./copy-files.js";
import { LOOKS_AT_ONCE, type RelocationEnd } from "./ends.js";
import { legBatches } from "./leg-batches.js";
import { readEach } from "./read-each.js";

/** Whose the file at the destination of a copy is. */
type Owner =
  /** Still the call's own. */
  | "own"
  /** Another call has changed or removed it. */
  | "changed"
  /** The storage did not say what it is. */
  | "unread"
  /** It may as well be of another call that has moved the same file here, and all that is left of it. */
  | "unclear";

/** A copy, in the version that it has now, and whose it is. */
export interface Judged {
  readonly arrival: Arrival;
  readonly owner: Owner;
  /** The source was there before the copy was looked at, so that another call may still move it here. */
  readonly mayStillMove?: boolean;
}

/**
 * Finds out which copies are still the call's own, as far as their version does not say it with the change itself. Two calls that
 * move one file to one place store the same content there: where that has the same version, or none, the one that is late must not
 * take back what the other has moved. The source is looked at first: as long as it is there, nothing of it can be lost.
 */
export async function judgeCopies(
  undo: RelocationEnd,
  arrivals: readonly Arrival[],
): Promise<Judged[]> {
  const unversioned = arrivals.filter(({ version }) => version === undefined);
  const marked = arrivals.filter(
    ({ version, writeId }) => version !== undefined && writeId !== undefined,
  );
  const byId = await byWriteId(undo, marked);
  const unmarked = new Set(byId.flatMap((judged) => ("unmarked" in judged ? judged.unmarked : [])));
  const versioned = arrivals.filter(
    (arrival) =>
      unmarked.has(arrival) || (arrival.version !== undefined && arrival.writeId === undefined),
  );
  return [
    ...(await byContent(undo, unversioned)),
    ...byId.flatMap((judged) => ("unmarked" in judged ? [] : judged)),
    ...(await byVersion(undo, versioned)),
  ];
}

/** The name of the write shows it, unless what is between here and the storage leaves it out. */
function byWriteId(
  undo: RelocationEnd,
  arrivals: readonly Arrival[],
): Promise<Array<Judged | { readonly unmarked: Arrival }>> {
  return mapConcurrently(arrivals, LOOKS_AT_ONCE, async (arrival) => {
    // What has moved the source away has stored its copy before, and shows by it.
    const mayStillMove =
      arrival.replaced !== undefined && (await sourceOf(undo, arrival)) !== "gone";
    const look = await outcomeOf(() => undo.stat(arrival.leg.to));
    if (look.status === "rejected") return { arrival, owner: "unread" };
    if (look.value?.kind !== "file") return { arrival, owner: "changed" };
    if (look.value.writeId === undefined) return { unmarked: arrival };
    const owner = look.value.writeId === arrival.writeId ? "own" : "changed";
    return { arrival, owner, mayStillMove };
  });
}

/** Without versions only the content shows it, and of what was put over a file not even that where the source is gone. */
async function byContent(undo: RelocationEnd, arrivals: readonly Arrival[]): Promise<Judged[]> {
  const legs = arrivals.map(({ leg }) => leg);
  const owners = await readEach(undo, "to", legs, (read, index): Owner => {
    if (read?.status === "fulfilled")
      return sameBytes(read.value.bytes, arrivals[index]?.bytes) ? "own" : "changed";
    return isCode(read?.reason, "not_found", "is_directory") ? "changed" : "unread";
  });
  const judged = arrivals.map((arrival, index) => ({ arrival, owner: owners[index] ?? "unread" }));
  return mapConcurrently(judged, LOOKS_AT_ONCE, async (one): Promise<Judged> => {
    if (one.owner !== "own" || one.arrival.replaced === undefined) return one;
    const source = await sourceOf(undo, one.arrival);
    if (source === "there") return one;
    return { ...one, owner: source === "gone" ? "unclear" : "unread" };
  });
}

async function byVersion(undo: RelocationEnd, arrivals: readonly Arrival[]): Promise<Judged[]> {
  const sources = await mapConcurrently(arrivals, LOOKS_AT_ONCE, (arrival) =>
    sourceOf(undo, arrival),
  );
  const doubtful = arrivals.filter((_, index) => sources[index] !== "there");
  const certain = arrivals.filter((_, index) => sources[index] === "there");
  return [
    ...certain.map((arrival) => ({ arrival, owner: "own" as const, mayStillMove: true })),
    ...(await byStoringAgain(undo, doubtful)),
  ];
}

/** What is where a copy came from. */
export async function sourceOf(
  undo: RelocationEnd,
  { leg }: Arrival,
): Promise<"there" | "gone" | "unread"> {
  const look = await outcomeOf(() => undo.stat(leg.from));
  if (look.status === "rejected") return "unread";
  return look.value?.kind === "file" ? "there" : "gone";
}

/** A version that names a write is another one once the copy is stored again, unchanged; one that names a content stays. */
async function byStoringAgain(
  undo: RelocationEnd,
  arrivals: readonly Arrival[],
): Promise<Judged[]> {
  const byLeg = new Map(arrivals.map((arrival) => [arrival.leg, arrival]));
  const judged: Judged[] = [];
  for (const batch of legBatches(arrivals.map(({ leg }) => leg))) {
    const read = await undo.get(batch.map(({ to }) => to));
    const same = batch.flatMap((leg, index) => {
      const arrival = byLeg.get(leg);
      const look = read[index];
      if (arrival === undefined) return [];
      if (look?.status === "fulfilled" && look.value.version === arrival.version)
        return [{ arrival, bytes: look.value.bytes }];
      const changed =
        look?.status === "fulfilled" || isCode(look?.reason, "not_found", "is_directory");
      judged.push({ arrival, owner: changed ? "changed" : "unread" });
      return [];
    });
    const stored = await undo.put(
      same.map(({ arrival: { leg, version }, bytes }) => [
        leg.to,
        bytes,
        version === undefined ? undefined : { ifVersion: version },
      ]),
    );
    for (const [index, { arrival }] of same.entries())
      judged.push(storedAgain(arrival, stored[index]));
  }
  return judged;
}

function storedAgain(
  arrival: Arrival,
  stored: PromiseSettledResult<VolumePut | undefined> | undefined,
): Judged {
  if (stored?.status !== "fulfilled") {
    const changed = isCode(stored?.reason, "conflict", "not_found", "already_exists");
    return { arrival, owner: changed ? "changed" : "unread" };
  }
  const version = stored.value?.version;
  if (version === undefined) return { arrival, owner: "unclear" };
  if (version !== arrival.version) return { arrival: { ...arrival, version }, owner: "own" };
  // A move that has stored the same over it waits for a tick of the clock before it removes the source, which is gone already.
  const early = performance.now() - arrival.begunAt < CLOCK_TICK_MS;
  return { arrival, owner: early ? "own" : "unclear" };
}
