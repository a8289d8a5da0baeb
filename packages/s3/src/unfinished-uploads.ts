import type { VolumeCall } from "@fs/protocol/author";
import { refuseAborted } from "@fs/protocol/async";
import type { Bucket } from "./bucket.js";

import { decodedKey, type KeySpace } from "./keys.js";

/**
 * Aborts the uploads in parts below the prefix that were not finished, as a process leaves them that is killed: their parts
 * are stored and paid for, and no listing shows them. Returns how many there were.
 *
 * @param olderThanMs Milliseconds since an upload was begun; younger ones may still be under way.
 */
export async function abortUnfinishedUploads(
  bucket: Bucket,
  keys: KeySpace,
  olderThanMs: number,
  call: VolumeCall,
): Promise<number> {
  let aborted = 0;
  let from: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
  while (from !== undefined) {
    const page = await bucket.listUploads({ Prefix: keys.prefix, ...from }, call);
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Key === undefined || UploadId === undefined || Initiated === undefined) continue;
      if (Date.now() - Initiated.getTime() < olderThanMs) continue;
      refuseAborted(call.signal);
      await bucket.abortUpload({ Key: decodedKey(Key), UploadId }, call);
      aborted++;
    }
    const { IsTruncated, NextKeyMarker, NextUploadIdMarker } = page;
    from =
      IsTruncated === true && NextKeyMarker !== undefined
        ? {
            KeyMarker: decodedKey(NextKeyMarker),
            ...(NextUploadIdMarker === undefined ? {} : { UploadIdMarker: NextUploadIdMarker }),
          }
        : undefined;
  }
  return aborted;
}
