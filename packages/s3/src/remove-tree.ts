import { VolumeError, type VolumeCall } from "@fs/protocol/author";
import { refuseAborted } from "@fs/protocol/async";
import { mayHaveHappened } from "./attempts.js";
import type { Bucket } from "./bucket.js";
import { Unconfirmed, volumeErrorOf } from "./failures.js";
import { decodedKey, type KeySpace } from "./keys.js";
import { pagesOf } from "./listing.js";

/**
 * Removes every object below a directory, markers and names that no path can spell included, so that nothing of it is left
 * for any tool to see: one listing and one batch for each 1,000. Returns how many there were.
 */
export async function removeObjectsBelow(
  bucket: Bucket,
  keys: KeySpace,
  directory: string,
  call: VolumeCall,
): Promise<number> {
  let removed = 0;
  for await (const page of pagesOf(bucket, { Prefix: keys.below(directory) }, call)) {
    const found = (page.Contents ?? []).flatMap(({ Key }) =>
      Key === undefined ? [] : [decodedKey(Key)],
    );
    if (found.length === 0) continue;
    refuseAborted(call.signal);
    await confirmed(() => removeAll(bucket, keys, directory, found, call));
    removed += found.length;
  }
  return removed;
}

async function removeAll(
  bucket: Bucket,
  keys: KeySpace,
  directory: string,
  found: readonly string[],
  call: VolumeCall,
): Promise<void> {
  const carried = found.filter((key) => !UNCARRIED.test(key));
  const { Errors } = carried.length > 0 ? await bucket.deleteObjects(carried, call) : {};
  const first = Errors?.[0];
  if (first !== undefined) throw refusalOf(first, keys, directory);
  for (const Key of found) if (UNCARRIED.test(Key)) await bucket.deleteObject({ Key }, call);
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
