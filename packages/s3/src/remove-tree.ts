import { VolumeError, type VolumeCall } from "@fs/protocol/author";
import type { Bucket } from "./bucket.js";
import { refuseAborted, volumeErrorOf } from "./failures.js";
import type { KeySpace } from "./keys.js";
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
    const found = (page.Contents ?? []).flatMap(({ Key }) => (Key === undefined ? [] : [Key]));
    if (found.length === 0) continue;
    refuseAborted(call.signal);
    const { Errors } = await bucket.deleteObjects(found);
    const first = Errors?.[0];
    if (first !== undefined) throw refusalOf(first, keys, directory);
    removed += found.length;
  }
  return removed;
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
