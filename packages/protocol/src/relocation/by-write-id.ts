import { mapConcurrently } from "../concurrency/map-concurrently.js";
import { outcomeOf } from "../concurrency/outcome-of.js";
import { VolumeError } from "../errors/volume-error.js";
import { type Arrival, named } from "./copy-files.js";
import type { RelocationEnd, Standing } from "./ends.js";
import { oneFile, storedOverItself } from "./one-file.js";
import type { Verdict } from "./take-back.js";

/** Copies looked at together. */
const WIDTH = 16;

/** Whether a copy was put over a file by a write that can be told from others of the same content. */
export function isNamedOverwrite({ replaced, writeId }: Arrival): boolean {
  return replaced !== undefined && writeId !== undefined;
}

/**
 * Looks, just before its source is removed, whether a copy is the very file that its source is, and whether it is still there where
 * the same content stood there before. That was stored by another call that may be a move of the same file: it takes back what it
 * stored when it finds the file changed, by a version that this copy has too. The last of them that stored is the one that moves.
 *
 * @returns The arrival, without the name of its write where nothing answers that, or why its source must stay.
 */
export function judgeByWriteId(
  undo: RelocationEnd,
  arrivals: readonly Arrival[],
): Promise<Verdict[]> {
  return mapConcurrently(arrivals, WIDTH, async (arrival) => {
    const { from, to } = arrival.leg;
    const source = await outcomeOf(() => undo.stat(from));
    if (source.status === "rejected") return { arrival, error: named(source.reason, from) };
    if (isOf(source.value, arrival)) return { arrival, error: oneFile(from, to) };
    // Nothing is there, or nothing that names its write: what is at the destination shows which of them.
    const answers = source.value?.writeId !== undefined;
    if (answers && !storedOverItself(arrival)) return arrival;
    const copy = await outcomeOf(() => undo.stat(to));
    if (copy.status === "rejected") return { arrival, error: named(copy.reason, to) };
    if (copy.value?.kind === "file" && copy.value.writeId === undefined)
      return { ...arrival, writeId: undefined };
    return storedOverItself(arrival) && !isOf(copy.value, arrival)
      ? { arrival, error: new VolumeError("conflict", undefined, { path: to }) }
      : arrival;
  });
}

function isOf(standing: Standing | undefined, { writeId }: Arrival): boolean {
  return standing?.kind === "file" && standing.writeId === writeId;
}
