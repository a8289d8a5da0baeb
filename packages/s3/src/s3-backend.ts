import {
  canonicalFilePath,
  failureFromThrown,
  VolumeBackend,
  VolumeError,
  type Failure,
} from "@fs/protocol/author";
import type { CallOptions, Outcome, WriteResult } from "@fs/protocol";
import { Bucket } from "./bucket.js";
import { KeySpace } from "./keys.js";
import {
  DEFAULT_CONCURRENCY,
  volumeSettings,
  type S3BackendOptions,
  type S3Consistency,
} from "./options.js";
import type { PresignOptions } from "./presign.js";
import { S3Volume } from "./s3-volume.js";

export type PresignResult = Outcome<{
  /** Good for anybody who has it, so it belongs in no log. */
  url: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
}>;

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
  readonly #volume: S3Volume;
  readonly #options: S3BackendOptions;

  /** @throws TypeError for options that make no sense: no bucket, a prefix that no path can have. */
  constructor(options: S3BackendOptions) {
    const { bucket: name, prefix, client, connection } = options;
    if (typeof name !== "string" || name === "") throw new TypeError("S3Backend needs a bucket.");
    const settings = volumeSettings(options);
    const volume = new S3Volume(
      new Bucket(name, client, connection),
      new KeySpace(prefix),
      settings,
    );
    super(volume, { ...options, concurrency: options.concurrency ?? DEFAULT_CONCURRENCY });
    this.consistency = settings.consistency;
    this.#volume = volume;
    this.#options = options;
  }

  /**
   * An address that reads a file without credentials until it expires. Makes no request, so the file need not exist.
   *
   * @returns `{ url, expiresAt }`, or a failure: `invalid_path`, `is_directory`, `invalid_argument`, `permission_denied`.
   */
  async presign(filePath: string, options: PresignOptions = {}): Promise<PresignResult> {
    return this.#attempt("presign", filePath, (path) => this.#volume.presign(path, options));
  }

  /**
   * Stores what a stream yields as one file, replacing what is there, in parts and without holding more than a few of them.
   * It appears whole when the stream has ended, or not at all.
   *
   * @returns `{ path }`, or a failure: `too_large` over `maxFileBytes`, `aborted`, `invalid_argument` for anything but bytes.
   */
  async uploadStream(
    filePath: string,
    source: AsyncIterable<Uint8Array>,
    { signal }: CallOptions = {},
  ): Promise<WriteResult> {
    const { maxFileBytes = Infinity } = this.#options;
    return this.#attempt("uploadStream", filePath, async (path) => {
      await this.#volume.putStream(path, source, maxFileBytes, signal);
      return { path };
    });
  }

  async #attempt<T>(
    operation: string,
    filePath: string,
    task: (path: string) => Promise<T>,
  ): Promise<T | Failure> {
    const canonical = canonicalFilePath(filePath);
    if (canonical.failure !== undefined) return canonical.failure;
    try {
      return await task(canonical.path);
    } catch (error) {
      if (!VolumeError.isInstance(error) || error.cause !== undefined)
        this.#options.onError?.(error, { operation, path: filePath });
      return failureFromThrown(error, filePath);
    }
  }
}
