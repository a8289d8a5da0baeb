import {
  canonicalFilePath,
  failureFromThrown,
  VolumeBackend,
  VolumeError,
  guardListener,
} from "@fs/protocol/author";
import {
  failure,
  type Failure,
  type CallOptions,
  type Outcome,
  type WriteResult,
} from "@fs/protocol";
import { refuseAborted } from "@fs/protocol/async";
import { bodyOfStream } from "./body-stream.js";
import { translated } from "./failures.js";
import { newProperties } from "./object-properties.js";
import type { S3BackendOptions, S3Consistency } from "./options.js";
import { signedAddress, type PresignOptions } from "./presign.js";
import { s3Storage, type S3Storage } from "./s3-storage.js";
import { volumeOf } from "./s3-volume.js";
import { abortUnfinishedUploads } from "./unfinished-uploads.js";

export type PresignResult = Outcome<{
  /** Good for anybody who has it, so it belongs in no log. */
  url: string;
  /** ISO 8601, UTC. */
  expiresAt: string;
}>;

/** The result of {@link S3Backend.removeUnfinishedUploads}. */
export type UnfinishedUploadsResult = Outcome<{
  /** Uploads that were aborted. */
  aborted: number;
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
  readonly #storage: S3Storage;
  readonly #options: S3BackendOptions;

  /** @throws TypeError for options that make no sense: no bucket, a prefix that no path can have. */
  constructor(options: S3BackendOptions) {
    const storage = s3Storage(options);
    super(volumeOf(storage), { ...options, concurrency: storage.settings.concurrency });
    this.consistency = storage.settings.consistency;
    this.#storage = storage;
    this.#options = options;
  }

  /**
   * An address that reads a file without credentials until it expires. Makes no request, so the file need not exist.
   *
   * @returns `{ url, expiresAt }`, or a failure: `invalid_path`, `is_directory`, `invalid_argument`, `permission_denied`.
   */
  async presign(filePath: string, options: PresignOptions = {}): Promise<PresignResult> {
    return this.#onFile("presign", filePath, (path) => {
      const { bucket, keys } = this.#storage;
      const key = keys.keyOf(path);
      return translated(path, () => signedAddress(bucket, key, options));
    });
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
    options?: CallOptions | null,
  ): Promise<WriteResult> {
    const signal = options?.signal;
    const { maxFileBytes = Infinity } = this.#options;
    return this.#onFile("uploadStream", filePath, async (path) => {
      const { keys, writer } = this.#storage;
      const input = { Key: keys.keyOf(path), ...newProperties(path, undefined) };
      await translated(path, () => {
        refuseAborted(signal);
        return writer.putStream(input, bodyOfStream(source, maxFileBytes, signal), signal);
      });
      return { path };
    });
  }

  /**
   * Aborts uploads in parts below the prefix that were never finished, as a process leaves them that is killed: their parts
   * are paid for, and no listing shows them. A rule of the bucket can do the same.
   *
   * @param options.olderThanMs Milliseconds since an upload was begun. Default: a day.
   * @returns How many were aborted, or a failure.
   */
  async removeUnfinishedUploads(
    options?: ({ olderThanMs?: number } & CallOptions) | null,
  ): Promise<UnfinishedUploadsResult> {
    const { olderThanMs = 24 * 60 * 60 * 1000, signal } = options ?? {};
    if (!(olderThanMs >= 0)) return failure("invalid_argument", "/");
    const { bucket, keys } = this.#storage;
    return this.#attempt("removeUnfinishedUploads", "/", async () => ({
      aborted: await translated("/", () =>
        abortUnfinishedUploads(bucket, keys, olderThanMs, { signal }),
      ),
    }));
  }

  /** As {@link #attempt}, for a call on one file. */
  async #onFile<T>(
    operation: string,
    filePath: string,
    task: (path: string) => Promise<T>,
  ): Promise<T | Failure> {
    const canonical = canonicalFilePath(filePath);
    if (canonical.failure !== undefined) return canonical.failure;
    return this.#attempt(operation, filePath, () => task(canonical.path));
  }

  async #attempt<T>(operation: string, path: string, task: () => Promise<T>): Promise<T | Failure> {
    try {
      return await task();
    } catch (error) {
      if (!VolumeError.isInstance(error) || error.cause !== undefined)
        guardListener(() => this.#options.onError?.(error, { operation, path }));
      return failureFromThrown(error, path);
    }
  }
}
