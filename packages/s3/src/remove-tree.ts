import { partlyRemoved, VolumeError, type VolumeCall } from "@fs/protocol/author";
import { refuseAborted } from "@fs/protocol/async";
import { mayHaveHappened } from "./attempts.js";
import type { Bucket } from "./bucket.js";
import { pagesBelow } from "./deep-listing.js";
import { isLostRace, Unconfirmed, volumeErrorOf } from "./failures.js";
import { mapInOrder } from "./in-order.js";
import { decodedKey, type KeySpace } from "./keys.js";

/** Batches that are removed at once: each is a thousand removals for the server. */
const BATCHES_AT_ONCE = 8;
/** Lost rounds after which the removal of an object gives up. */
const ROUNDS = 20;

/**
 * Removes every object below a directory, markers and names that no path can spell included, so that nothing of it is left
 * for any tool to see: one batch for each page of the listing. Returns how many there were.
 *
 * @param width Listings under way at once.
 */
export async function removeObjectsBelow(
  bucket: Bucket,
  keys: KeySpace,
  directory: string,
  width: number,
  call: VolumeCall,
): Promise<number> {
  const query = { Prefix: keys.below(directory), width };
  const pages = async function* (stop: AbortSignal): AsyncGenerator<Array<readonly string[]>> {
    const signal = call.signal === undefined ? stop : AbortSignal.any([stop, call.signal]);
    for await (const { Contents = [] } of pagesBelow(bucket, query, { signal }))
      yield [Contents.map(({ Key = "" }) => decodedKey(Key))];
  };
  let removed = 0;
  const onRemoved = (files: number): void => void (removed += files);
  // One that fails ends the listing and begins no more; those under way are waited for, so that nothing goes on behind the answer.
  const removals = mapInOrder(pages, BATCHES_AT_ONCE, async (found) => {
    refuseAborted(call.signal);
    await confirmed(() => removeAll(bucket, keys, directory, found, onRemoved, call));
  });
  try {
    for await (const _ of removals);
  } catch (error) {
    throw partlyRemoved(volumeErrorOf(error, directory), removed, directory);
  }
  return removed;
}

async function removeAll(
  bucket: Bucket,
  keys: KeySpace,
  directory: string,
  found: readonly string[],
  onRemoved: (files: number) => void,
  call: VolumeCall,
): Promise<void> {
  let rest: readonly string[] = found.filter((key) => !UNCARRIED.test(key));
  for (let round = 1; rest.length > 0; round++) {
    refuseAborted(call.signal);
    const { Errors = [] } = await bucket.deleteObjects(rest, call);
    onRemoved(rest.length - Errors.length);
    const failed = Errors.find((error) => !isLostRace(error) || round === ROUNDS);
    if (failed !== undefined) throw refusalOf(failed, keys, directory);
    // What was changed at the same moment is there as before, or as it was changed: it goes too.
    rest = Errors.flatMap(({ Key }) => Key ?? []);
  }
  for (const Key of found.filter((key) => UNCARRIED.test(key))) {
    await bucket.deleteObject({ Key }, call);
    onRemoved(1);
  }
}

/** Characters that an XML document cannot carry, or not unchanged: a batch with one of them is refused as a whole. */
// oxlint-disable-next-line no-control-regex
const UNCARRIED = /[\u0000-\u001f\ufffe\uffff]/;

async function confirmed(task: () => Promise<void>): Promise<void> {
  try {
    await task();
  } catch (error) {
    if (VolumeError.isInstance(error) || !mayHaveHappened(error)) throw error;
    throw new Unconfirmed("removed", error);
  }
}

/** One key of a batch that stayed, as if it had been removed alone. */
function refusalOf(
  { Key, Code }: { Key?: string | undefined; Code?: string | undefined },
  keys: KeySpace,
  directory: string,
): VolumeError {
  const path = (Key === undefined ? undefined : keys.pathOf(Key)) ?? directory;
  const cause = Object.assign(new Error("An object of a batch could not be removed."), {
    name: Code ?? "InternalError",
  });
  const error = volumeErrorOf(cause, path);
  return VolumeError.isInstance(error)
    ? new VolumeError(error.code, error.detail, { path, cause })
    : new VolumeError("unavailable", undefined, { path, cause });
}
