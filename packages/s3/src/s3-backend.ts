import { VolumeBackend } from "@fs/protocol/volume";
import { Bucket } from "./bucket.js";
import { KeySpace } from "./keys.js";
import {
  DEFAULT_CONCURRENCY,
  volumeSettings,
  type S3BackendOptions,
  type S3Consistency,
} from "./options.js";
import { S3Volume } from "./s3-volume.js";

/**
 * A filesystem in an S3 bucket.
 *
 * @example
 * const backend = new S3Backend({ bucket: "notes", prefix: "agents/7" });
 * await backend.write("/plan.md", "# Plan\n");
 */
export class S3Backend extends VolumeBackend {
  /** What keeps two writers of one file from undoing each other's work. */
  readonly consistency: S3Consistency;

  /** @throws TypeError for options that make no sense: no bucket, a prefix that no path can have. */
  constructor(options: S3BackendOptions) {
    const { bucket: name, prefix, client, connection } = options;
    if (typeof name !== "string" || name === "") throw new TypeError("S3Backend needs a bucket.");
    const bucket = new Bucket(name, client, connection);
    const settings = volumeSettings(options);
    super(new S3Volume(bucket, new KeySpace(prefix), settings), {
      ...options,
      concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
    });
    this.consistency = settings.consistency;
  }
}
