import type { CompletedPart } from "@aws-sdk/client-s3";
import { joinedBytes } from "@fs/protocol/hooks";
import { VolumeError, type VolumeCall } from "@fs/protocol/author";
import type { Bucket } from "./bucket.js";
import type { StoredAs } from "./object-writer.js";
import { MIB } from "./options.js";

/** Bytes of a part; of the last one, at most. */
const PART_BYTES = 8 * MIB;
/** Parts that one upload may have, as every S3 server has it. */
const MAX_PARTS = 10_000;
/** Parts under way at once. */
const WIDTH = 4;

interface Part {
  readonly PartNumber: number;
  readonly bytes: Uint8Array;
}

/**
 * Stores what a stream yields, in parts, or in one request where it is short. When one fails, the others end first and the
 * upload is aborted, so that no part of it stays.
 *
 * @returns The ETag.
 */
export async function putParts(
  bucket: Bucket,
  input: StoredAs,
  body: AsyncIterable<Uint8Array>,
  call: VolumeCall,
): Promise<string | undefined> {
  const parts = partsOf(body);
  try {
    return await putPartsOf(parts, bucket, input, call);
  } finally {
    await parts.return(undefined);
  }
}

async function putPartsOf(
  parts: AsyncGenerator<Part>,
  bucket: Bucket,
  input: StoredAs,
  call: VolumeCall,
): Promise<string | undefined> {
  const first = await parts.next();
  const bytes = first.done === true ? new Uint8Array() : first.value.bytes;
  if (bytes.length < PART_BYTES) {
    const whole = { ...input, Body: bytes, ContentLength: bytes.length };
    return (await bucket.putObject(whole, call)).ETag;
  }
  const { UploadId } = await bucket.createUpload(input, call);
  const upload = { Key: input.Key, UploadId };
  try {
    const { done, length } = await sendParts(
      bucket,
      upload,
      [{ PartNumber: 1, bytes }],
      parts,
      call,
    );
    const Parts = done.toSorted((a, b) => (a.PartNumber ?? 0) - (b.PartNumber ?? 0));
    const completed = { ...upload, MultipartUpload: { Parts } };
    return (await bucket.completeUpload(completed, call, length)).ETag;
  } catch (error) {
    // Also after a completion that was not answered: one that was carried out is not undone by this. What the abortion
    // leaves behind when it fails as well is for `removeUnfinishedUploads` and the rule for the bucket.
    await Promise.allSettled([bucket.abortUpload(upload, {})]);
    throw error;
  }
}

/** Sends parts, some at once. The first error stops the rest, and is thrown once none is under way any more. */
async function sendParts(
  bucket: Bucket,
  upload: { readonly Key: string; readonly UploadId: string | undefined },
  begun: Part[],
  parts: AsyncGenerator<Part>,
  call: VolumeCall,
): Promise<{ done: CompletedPart[]; length: number }> {
  const done: CompletedPart[] = [];
  let length = 0;
  let failed = false;
  const next = async (): Promise<Part | undefined> => {
    const part = failed ? undefined : (begun.shift() ?? (await nextOf(parts)));
    return failed ? undefined : part;
  };
  const worker = async (): Promise<void> => {
    try {
      for (let part = await next(); part !== undefined; part = await next()) {
        const { PartNumber, bytes } = part;
        const request = { ...upload, PartNumber, Body: bytes, ContentLength: bytes.length };
        const { ETag } = await bucket.uploadPart(request, call);
        done.push({ PartNumber, ETag });
        length += bytes.length;
      }
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  const settled = await Promise.allSettled(Array.from({ length: WIDTH }, worker));
  for (const outcome of settled) if (outcome.status === "rejected") throw outcome.reason;
  return { done, length };
}

async function nextOf(parts: AsyncGenerator<Part>): Promise<Part | undefined> {
  const step = await parts.next();
  return step.done === true ? undefined : step.value;
}

async function* partsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Part, undefined> {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let PartNumber = 1;
  for await (const piece of body) {
    for (let from = 0; from < piece.length;) {
      const slice = piece.subarray(from, from + PART_BYTES - length);
      pieces.push(slice);
      length += slice.length;
      from += slice.length;
      if (length < PART_BYTES) continue;
      if (PartNumber > MAX_PARTS) throw new VolumeError("too_large");
      yield { PartNumber: PartNumber++, bytes: joinedBytes(pieces) };
      pieces = [];
      length = 0;
    }
  }
  if (length > 0) yield { PartNumber, bytes: joinedBytes(pieces) };
  return undefined;
}
