import type { S3Client } from "@aws-sdk/client-s3";
import type { S3ConnectionOptions } from "./options.js";

/** A client for the options of {@link S3ConnectionOptions}; what they leave out comes from the environment. */
export function clientOf(
  sdk: { readonly S3Client: typeof S3Client },
  connection: S3ConnectionOptions,
): S3Client {
  const {
    connectTimeoutMs = 5000,
    idleTimeoutMs = 20_000,
    maxAttempts = 4,
    forcePathStyle,
    ...rest
  } = connection;
  const ownServer =
    connection.endpoint ?? process.env["AWS_ENDPOINT_URL_S3"] ?? process.env["AWS_ENDPOINT_URL"];
  return new sdk.S3Client({
    ...rest,
    maxAttempts,
    forcePathStyle: forcePathStyle ?? ownServer !== undefined,
    // Older servers refuse the checksum trailers that the SDK would add of its own accord.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: connectTimeoutMs, socketTimeout: idleTimeoutMs },
  });
}
