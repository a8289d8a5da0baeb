import { checkedConfiguration, type VolumeBackendOptions } from "@fs/protocol/author";
import type { PutObjectCommandInput, S3Client, S3ClientConfig } from "@aws-sdk/client-s3";

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
  /** Milliseconds that a connection may take to be made. Default 5,000. */
  connectTimeoutMs?: number;
  /** Milliseconds without a byte after which an attempt counts as lost. Default 20,000. */
  idleTimeoutMs?: number;
}

/** How new objects are encrypted where they are kept. Default: as the bucket is configured. */
export interface S3Encryption {
  /** `"AES256"`: keys of the storage; `"aws:kms"`: a key of the key service. */
  algorithm: "AES256" | "aws:kms";
  /** The key, with `"aws:kms"`. Default: the account's own for S3. */
  keyId?: string;
}

/** What keeps two writers of one file from undoing each other's work. */
export type S3Consistency = "compare-and-swap" | "last-writer-wins";

export interface S3BackendOptions extends VolumeBackendOptions {
  /** The bucket. It must exist. */
  bucket: string;
  /** The part of the bucket that is used, as `agents/7`. Default: all of it. No call reaches a key outside. */
  prefix?: string;
  /**
   * Whose files these are, below the prefix: a text, which is a list of one, or a list. Different namespaces share nothing:
   * `"org"` never sees `["org", "alice"]`. Default: none, the files are right below the prefix.
   */
  namespace?: string | readonly string[];
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
  /**
   * Milliseconds that one request may take with all its attempts, and 4,000 more for each MiB that it carries. Then a read is
   * `timeout`, and a change whose outcome is unknown is `unavailable`. Default 60,000.
   */
  callTimeoutMs?: number;
  /** The storage class of new objects, as `"STANDARD_IA"`. Default: the bucket's. */
  storageClass?: string;
  /** How new objects are encrypted. Default: as the bucket is configured. */
  encryption?: S3Encryption;
  /**
   * Bytes of text that `grep` keeps, so that the next one fetches only what changed. Of a tree with more text as much is kept as
   * there is room for, and the rest is fetched by every search. 0 keeps none. Default 64 MiB.
   */
  cacheBytes?: number;
}

export const MIB = 1024 * 1024;

/** What a volume needs of {@link S3BackendOptions}, defaults filled in. */
export interface S3VolumeSettings {
  readonly consistency: S3Consistency;
  readonly maxReadBytes: number;
  readonly multipartBytes: number;
  readonly cacheBytes: number;
  readonly callTimeoutMs: number;
  /** What every new object is stored with. */
  readonly storedAs: StoredAlways;
  /** Requests under way at once in one search. */
  readonly concurrency: number;
}

const KINDS = {
  bucket: "text",
  prefix: "any",
  namespace: "any",
  client: "object",
  connection: "object",
  consistency: ["compare-and-swap", "last-writer-wins"],
  maxReadBytes: "count",
  multipartBytes: "count",
  cacheBytes: "count",
  callTimeoutMs: "milliseconds",
  storageClass: "text",
  encryption: "object",
  concurrency: "positive",
  maxFileBytes: "count",
  writeMode: ["create", "overwrite"],
  onError: "function",
} as const;

/** Throws a TypeError for an option of the wrong kind or of no known name, and for a missing bucket. */
export function checkOptions(options: S3BackendOptions): void {
  checkedConfiguration("S3Backend", options, KINDS);
  if (options.bucket === undefined) throw new TypeError("S3Backend needs a bucket.");
  if (options.connection !== undefined)
    checkedConfiguration("'connection' of S3Backend", options.connection, {
      region: "text",
      endpoint: "text",
      credentials: "any",
      forcePathStyle: "flag",
      maxAttempts: "positive",
      connectTimeoutMs: "milliseconds",
      idleTimeoutMs: "milliseconds",
    });
  if (options.encryption !== undefined)
    checkedConfiguration("'encryption' of S3Backend", options.encryption, {
      algorithm: ["AES256", "aws:kms"],
      keyId: "text",
    });
}

/** Fills in the defaults. */
export function volumeSettings(options: S3BackendOptions): S3VolumeSettings {
  return {
    consistency: options.consistency ?? "compare-and-swap",
    maxReadBytes: options.maxReadBytes ?? 256 * MIB,
    multipartBytes: options.multipartBytes ?? 16 * MIB,
    cacheBytes: options.cacheBytes ?? 64 * MIB,
    callTimeoutMs: options.callTimeoutMs ?? 60_000,
    storedAs: storedAlways(options),
    concurrency: options.concurrency ?? DEFAULT_CONCURRENCY,
  };
}

/** What a request to store carries whatever it stores. */
export type StoredAlways = Pick<
  PutObjectCommandInput,
  "StorageClass" | "ServerSideEncryption" | "SSEKMSKeyId"
>;

function storedAlways({ storageClass, encryption }: S3BackendOptions): StoredAlways {
  return {
    ...(storageClass === undefined
      ? {}
      : { StorageClass: storageClass as NonNullable<StoredAlways["StorageClass"]> }),
    ...(encryption === undefined ? {} : { ServerSideEncryption: encryption.algorithm }),
    ...(encryption?.keyId === undefined ? {} : { SSEKMSKeyId: encryption.keyId }),
  };
}

/** Requests under way at once. The SDK keeps a processor busy at about this width, so more would only queue. */
const DEFAULT_CONCURRENCY = 32;
