import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import { isCode } from "../errors/certainty.js";
import { quote } from "../errors/messages.js";
import { VolumeError } from "../errors/volume-error.js";
import { CLOCK_TICK_MS } from "./by-time.js";
import type { Arrival } from "./copy-files.js";
import { LOOKS_AT_ONCE, type RelocationEnd } from "./ends.js";
import { storedOverItself } from "./one-file.js";

/**
 * Looks, after the removal of their sources, at copies that another call may have removed as its own source. Where versions are
 * hashes, a call that moves a copy back removes it by the version that it copied; and what it has stored at the source of this call has
 * the version by which this call removes its source, so that each of the two may remove what the other has moved. Of two that have put
 * their copies over the same content, the later one sees it here. A call that has only read before that is seen by those, unless its
 * removal has taken long since its last look at its source: then it sees it itself.
 *
 * @param moved Files whose copies may have been removed so, as {@link mayBeLost} says.
 * @returns An error for each file that was stored again where it was, or may be lost.
 */
export async function putBackLost(
  undo: RelocationEnd,
  moved: readonly Arrival[],
): Promise<unknown[]> {
  const errors = await mapConcurrently(moved, LOOKS_AT_ONCE, async (arrival) => {
    const { from, to } = arrival.leg;
    const copy = await outcomeOf(() => undo.stat(to));
    if (copy.status === "rejected") return whetherThere(arrival, copy.reason);
    if (copy.value?.kind === "file") return undefined;
    const again = await storeAgain(undo, arrival, from);
    if (again === undefined) return storedOverItself(arrival) ? changed(to) : mayBeLast(arrival);
    if (!isCode(again, "already_exists", "conflict", "is_directory", "not_directory"))
      return whetherThere(arrival, again);
    const source = await outcomeOf(() => undo.stat(from));
    if (source.status === "rejected") return whetherThere(arrival, source.reason);
    // The same file is where it was: another call has moved it back, once it had been moved.
    if (source.value?.version === arrival.sourceVersion) return undefined;
    // Another file has taken the place of the source: then this one has moved, as long as nothing has taken the place of its copy.
    const there = await storeAgain(undo, arrival, to);
    if (there === undefined) return undefined;
    return isCode(there, "already_exists", "is_directory")
      ? changed(to)
      : whetherThere(arrival, there);
  });
  return errors.filter((error) => error !== undefined);
}

/**
 * Whether the copy of a source that was just removed has to be looked at.
 *
 * @param begunAt By `performance.now()`, before the last look at sources that were read more than half a tick of the clock before.
 */
export function mayBeLost(arrival: Arrival, begunAt: number): boolean {
  if (arrival.writeId !== undefined && storedOverItself(arrival)) return true;
  return arrival.sourceWriteId !== undefined && performance.now() - begunAt > CLOCK_TICK_MS / 2;
}

/** Stores the content of a copy where nothing is. Returns the error. */
export async function storeAgain(
  undo: RelocationEnd,
  { bytes }: Arrival,
  path: string,
): Promise<unknown> {
  if (bytes === undefined) return new VolumeError("unavailable", undefined, { path });
  const [stored] = await undo.put([[path, bytes, { ifAbsent: true }]]);
  if (stored?.status === "fulfilled") return undefined;
  return stored?.reason ?? new VolumeError("unavailable", undefined, { path });
}

function changed(path: string): VolumeError {
  return new VolumeError("conflict", undefined, { path });
}

function mayBeLast({ leg: { from, to } }: Arrival): VolumeError {
  return new VolumeError(
    "unavailable",
    `Another call has removed or moved ${quote(to)} before ${quote(from)} was gone. The file was stored again at ${quote(from)}, because it may be all that is left of it.`,
    { path: from },
  );
}

function whetherThere({ leg: { from, to } }: Arrival, cause: unknown): VolumeError {
  return new VolumeError(
    "unavailable",
    `${quote(from)} was moved to ${quote(to)}, and another call has removed or moved it there, or may have. Look at both paths.`,
    { path: to, cause },
  );
}
