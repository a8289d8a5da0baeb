import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";
import { isTextBytes, LinePager } from "@fs/protocol/hooks";
import type { VolumeCall, VolumePage } from "@fs/protocol/author";
import type { Bucket } from "./bucket.js";
import { bareEtag } from "./etag.js";
import { statusOf } from "./failures.js";
import { fetchObject, type FetchedObject } from "./object-reader.js";
import { MIB } from "./options.js";
import { isTombstone } from "./tombstone.js";

/** Bytes of the first stretch: most text files are whole in it. */
const FIRST_STRETCH = 256 * 1024;
/** Bytes of the longest stretch. Each is twice the one before, so that a page far down takes few requests. */
const LONGEST_STRETCH = 4 * MIB;

/**
 * Lines of an object by ranged GETs that stop once the lines are there. `undefined` declines: an empty object, which has
 * no range; one that was replaced meanwhile or is being removed; a short one that is not text.
 *
 * @param maxBytes Bytes a page may have; a longer one is `too_large`.
 * @param onHeaders Hears what the first answer said of the object.
 */
export async function readLines(
  bucket: Bucket,
  Key: string,
  { offset, limit, signal }: { readonly offset: number; readonly limit: number } & VolumeCall,
  maxBytes: number,
  onHeaders: (output: GetObjectCommandOutput) => void,
): Promise<VolumePage | undefined> {
  const page = new LinePager({ offset, limit, maxBytes });
  let version: string | undefined;
  let total = Infinity;
  let position = 0;
  for (let size = FIRST_STRETCH; position < total; size = Math.min(size * 2, LONGEST_STRETCH)) {
    const Range = `bytes=${position}-${position + size - 1}`;
    const stretch = await fetchStretch(bucket, Key, Range, { signal });
    if (stretch === undefined) return undefined;
    if (isTombstone(stretch.output)) return undefined;
    if (position > 0 && stretch.version !== version) return undefined;
    if (position === 0) onHeaders(stretch.output);
    ({ version, total } = stretch);
    const whole = position === 0 && stretch.bytes.length >= total;
    // Only a file that is not in hand as a whole is judged by its page.
    if (whole && !isTextBytes(stretch.bytes)) return undefined;
    position += stretch.bytes.length;
    page.feed(stretch.bytes);
    if (position >= total) page.end();
    else if (page.filled) page.more();
    if (page.complete) break;
  }
  return { ...page.result(), ...(version === undefined ? {} : { version }) };
}

interface Stretch extends FetchedObject {
  /** Bytes of the whole object. */
  readonly total: number;
  readonly version: string | undefined;
}

async function fetchStretch(
  bucket: Bucket,
  Key: string,
  Range: string,
  call: VolumeCall,
): Promise<Stretch | undefined> {
  try {
    const { bytes, output } = await fetchObject(bucket, { Key, Range }, Infinity, call);
    // A server that ignores ranges sends everything, and no range.
    const total = Number(/\/(\d+)$/.exec(output.ContentRange ?? "")?.[1] ?? bytes.length);
    return { bytes, output, total, version: bareEtag(output.ETag) };
  } catch (error) {
    if (statusOf(error) === 416) return undefined;
    throw error;
  }
}
