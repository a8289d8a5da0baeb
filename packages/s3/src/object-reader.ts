import type { GetObjectCommandInput, GetObjectCommandOutput } from "@aws-sdk/client-s3";
import { VolumeError, type VolumeCall } from "@fs/protocol/volume";
import type { Bucket } from "./bucket.js";
import { statusOf } from "./failures.js";

/** An object, or a stretch of one, as it came. */
export interface FetchedObject {
  readonly bytes: Uint8Array;
  readonly output: GetObjectCommandOutput;
}

/**
 * Fetches an object whole. The SDK tries again what fails before the answer begins; a body that breaks off afterwards is
 * fetched again here, as often in all as the client would.
 *
 * @param maxBytes A longer body is left where it is: `too_large`.
 */
export async function fetchObject(
  bucket: Bucket,
  input: Omit<GetObjectCommandInput, "Bucket">,
  maxBytes: number,
  call: VolumeCall,
): Promise<FetchedObject> {
  const { client } = await bucket.connect();
  const attempts = await client.config.maxAttempts();
  for (let attempt = 1; ; attempt++) {
    const output = await bucket.getObject(input, call);
    if ((output.ContentLength ?? 0) > maxBytes) {
      discard(output);
      throw new VolumeError("too_large");
    }
    try {
      const bytes = await output.Body?.transformToByteArray();
      return { bytes: bytes ?? new Uint8Array(), output };
    } catch (error) {
      const final =
        attempt >= attempts || call.signal?.aborted === true || statusOf(error) !== undefined;
      if (final) throw error;
    }
  }
}

/** Lets go of a body that nobody will read, so that its connection is free again. */
export function discard(output: GetObjectCommandOutput): void {
  const body: unknown = output.Body;
  if (
    typeof body === "object" &&
    body !== null &&
    "destroy" in body &&
    typeof body.destroy === "function"
  ) {
    body.destroy();
  }
}
