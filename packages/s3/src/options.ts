import type { VolumeBackendOptions } from "@fs/protocol/author";
import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";

/** How the client is made when none is given. What is left out comes from the usual environment, through the SDK itself. */
export interface S3ConnectionOptions {
  /** Default: `AWS_REGION`, then the profile. */
  region?: string;
  /** The server's address. Default: `AWS_ENDPOINT_URL_S3`, `AWS_ENDPOINT_URL`, then AWS. */
  endpoint?: string;
  /** Default: the SDK's chain: environment, profile, container, instance. */
  credentials?: NonNullable<S3ClientConfig["credentials"]>;
  /** Put the bucket into the path rather than the host name. Default: true with an endpoint of one's own, as most servers need it. */
  forcePathStyle?: boolean;
  /** Times the SDK tries a request in all. Default 4. */
  maxAttempts?: number;
  /** Milliseconds without a byte after which a request counts as lost. Default 30,000. */
  timeoutMs?: number;
}

/** What keeps two writers of one file from undoing each other's work. */
export type S3Consistency = "compare-and-swap" | "last-writer-wins";

export interface S3BackendOptions extends Omit<VolumeBackendOptions, "resolvePath"> {
  /** The bucket. It must exist. */
  bucket: string;
  /** Where in the bucket the files are, as `agents/7`. Default: all of it. No call reaches a key outside. */
  prefix?: string;
  /** A client of your own. Default: one made from {@link connection} and the environment. It is not closed with the backend. */
  client?: S3Client;
  /** For the client that the backend makes. Ignored with {@link client}. */
  connection?: S3ConnectionOptions;
  /**
   * `"compare-and-swap"` needs a server that honours conditional writes; the first write finds out, and fails with
   * `unsupported` when it does not. `"last-writer-wins"` never asks: of two writers at once, one is lost without a word.
   * Default `"compare-and-swap"`.
   */
  consistency?: S3Consistency;
  /** Bytes a file may have to be read whole into memory; more is `too_large`. Pages and `grep` are not bound by it. Default 256 MiB. */
  maxReadBytes?: number;
  /** Bytes from which an upload goes in parts. Default 16 MiB. */
  multipartBytes?: number;
  /** Bytes of text that `grep` keeps, so that the next one fetches only what changed. 0 keeps none. Default 64 MiB. */
  cacheBytes?: number;
}

export const MIB = 1024 * 1024;

/** What a volume needs of {@link S3BackendOptions}, defaults filled in. */
export interface S3VolumeSettings {
  readonly consistency: S3Consistency;
  readonly maxReadBytes: number;
  readonly multipartBytes: number;
  readonly cacheBytes: number;
  /** Requests under way at once in one search. */
  readonly concurrency: number;
}

/** Fills in the defaults. */
export function volumeSettings(options: S3BackendOptions): S3VolumeSettings {
  return {
    consistency: options.consistency ?? "compare-and-swap",
    maxReadBytes: options.maxReadBytes ?? 256 * MIB,
    multipartBytes: options.multipartBytes ?? 16 * MIB,
    cacheBytes: options.cacheBytes ?? 64 * MIB,
    concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
  };
}

/** Requests under way at once. The SDK keeps a processor busy at about this width, so more would only queue. */
export const DEFAULT_CONCURRENCY = 32;
