import type { Readable } from "node:stream";
import type { GetObjectCommandInput, GetObjectCommandOutput } from "@aws-sdk/client-s3";
import { joinedBytes } from "@fs/protocol/hooks";
import { VolumeError, type VolumeCall } from "@fs/protocol/author";
import type { Bucket } from "./bucket.js";
import { CutOff } from "./cut-off.js";
import { statusOf } from "./failures.js";

type Input = Omit<GetObjectCommandInput, "Bucket">;

/** An object, or a stretch of one, as it came. */
export interface FetchedObject {
  readonly bytes: Uint8Array;
  readonly output: GetObjectCommandOutput;
}

/**
 * Fetches an object into memory.
 *
 * @param maxBytes A longer body is left where it is: `too_large`.
 */
export async function fetchObject(
  bucket: Bucket,
  input: Input,
  maxBytes: number,
  call: VolumeCall,
): Promise<FetchedObject> {
  return retried(bucket, input, call, async (body, output) => {
    if ((output.ContentLength ?? 0) > maxBytes) {
      body.destroy();
      throw new VolumeError("too_large");
    }
    return { bytes: await bytesOf(body), output };
  });
}

/** Runs a task over the body of an object as it comes, holding none of it. The task starts over with a new body. */
export async function withBody<R>(
  bucket: Bucket,
  input: Input,
  call: VolumeCall,
  task: (pieces: AsyncIterable<Uint8Array>) => Promise<R>,
): Promise<R> {
  return retried(bucket, input, call, task);
}

/**
 * The SDK tries again what fails before the answer begins; a body that breaks off afterwards is fetched again here, as often
 * in all as the client would.
 */
async function retried<R>(
  bucket: Bucket,
  input: Input,
  call: VolumeCall,
  task: (body: Readable, output: GetObjectCommandOutput) => Promise<R>,
): Promise<R> {
  const { client } = await bucket.connect();
  const attempts = await client.config.maxAttempts();
  for (let attempt = 1; ; attempt++) {
    const output = await bucket.getObject(input, call);
    try {
      return await bucket.readBody(output, call, (body) => task(body, output));
    } catch (error) {
      const answered = VolumeError.isInstance(error) || statusOf(error) !== undefined;
      if (answered || error instanceof CutOff || attempt >= attempts) throw error;
    }
  }
}

async function bytesOf(body: Readable): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece as Uint8Array);
  return joinedBytes(pieces);
}
