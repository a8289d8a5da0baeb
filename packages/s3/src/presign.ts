import { VolumeError } from "@fs/protocol/author";
import type { Bucket } from "./bucket.js";

/** Seconds a signed address may be good for at most: a week, as AWS has it. */
const LONGEST = 7 * 24 * 60 * 60;
/** Seconds it is good for unless its caller says otherwise. */
const DEFAULT = 15 * 60;

export interface PresignOptions {
  /** Seconds the address is good for: 1 to 604,800. Default 900. */
  expiresIn?: number;
}

/** An address that reads one object without credentials, for a while. No request is made: the object need not exist. */
export async function signedAddress(
  bucket: Bucket,
  Key: string,
  { expiresIn = DEFAULT }: PresignOptions,
): Promise<{ url: string; expiresAt: string }> {
  if (!Number.isInteger(expiresIn) || expiresIn < 1 || expiresIn > LONGEST) {
    throw new VolumeError(
      "invalid_argument",
      `'expiresIn' must be a whole number of seconds, 1 to ${LONGEST}.`,
    );
  }
  const [{ getSignedUrl }, { client, sdk }] = await Promise.all([
    import("@aws-sdk/s3-request-presigner"),
    bucket.connect(),
  ]);
  const signingDate = new Date();
  const command = new sdk.GetObjectCommand({ Bucket: bucket.name, Key });
  const url = await getSignedUrl(client, command, { expiresIn, signingDate });
  return { url, expiresAt: new Date(signingDate.getTime() + expiresIn * 1000).toISOString() };
}
