import type * as S3 from "@aws-sdk/client-s3";
import type { VolumeCall } from "@fs/protocol/author";
import type { S3ConnectionOptions } from "./options.js";

type Sdk = typeof S3;
type Input<T> = Omit<T, "Bucket">;

/** A bucket, one method per kind of request. Nothing is loaded or connected before the first of them. */
export class Bucket {
  readonly name: string;
  readonly #given: S3.S3Client | undefined;
  readonly #connection: S3ConnectionOptions;
  #own: S3.S3Client | undefined;

  constructor(name: string, client: S3.S3Client | undefined, connection: S3ConnectionOptions = {}) {
    this.name = name;
    this.#given = client;
    this.#connection = connection;
  }

  async getObject(
    input: Input<S3.GetObjectCommandInput>,
    call: VolumeCall,
  ): Promise<S3.GetObjectCommandOutput> {
    const { client, sdk } = await this.connect();
    return client.send(new sdk.GetObjectCommand({ Bucket: this.name, ...input }), abortable(call));
  }

  async headObject(
    input: Input<S3.HeadObjectCommandInput>,
    call: VolumeCall,
  ): Promise<S3.HeadObjectCommandOutput> {
    const { client, sdk } = await this.connect();
    return client.send(new sdk.HeadObjectCommand({ Bucket: this.name, ...input }), abortable(call));
  }

  async listObjects(
    input: Input<S3.ListObjectsV2CommandInput>,
    call: VolumeCall,
  ): Promise<S3.ListObjectsV2CommandOutput> {
    const { client, sdk } = await this.connect();
    return client.send(
      new sdk.ListObjectsV2Command({ Bucket: this.name, ...input }),
      abortable(call),
    );
  }

  // The mutations take no signal: one that has begun ends, so that its outcome is known.

  async putObject(input: Input<S3.PutObjectCommandInput>): Promise<S3.PutObjectCommandOutput> {
    const { client, sdk } = await this.connect();
    return client.send(new sdk.PutObjectCommand({ Bucket: this.name, ...input }));
  }

  async copyObject(input: Input<S3.CopyObjectCommandInput>): Promise<S3.CopyObjectCommandOutput> {
    const { client, sdk } = await this.connect();
    return client.send(new sdk.CopyObjectCommand({ Bucket: this.name, ...input }));
  }

  async deleteObject(
    input: Input<S3.DeleteObjectCommandInput>,
  ): Promise<S3.DeleteObjectCommandOutput> {
    const { client, sdk } = await this.connect();
    return client.send(new sdk.DeleteObjectCommand({ Bucket: this.name, ...input }));
  }

  async deleteObjects(keys: readonly string[]): Promise<S3.DeleteObjectsCommandOutput> {
    const { client, sdk } = await this.connect();
    const Objects = keys.map((Key) => ({ Key }));
    return client.send(
      new sdk.DeleteObjectsCommand({ Bucket: this.name, Delete: { Objects, Quiet: true } }),
    );
  }

  /** The client and the SDK it belongs to, for what needs them themselves: signed addresses and uploads in parts. */
  async connect(): Promise<{ client: S3.S3Client; sdk: Sdk }> {
    const sdk = await import("@aws-sdk/client-s3");
    return { client: this.#given ?? (this.#own ??= clientOf(sdk, this.#connection)), sdk };
  }

  /** Closes the connections of a client made here; a given one is its owner's. */
  close(): void {
    this.#own?.destroy();
    this.#own = undefined;
  }
}

function abortable({ signal }: VolumeCall): { abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}

function clientOf(sdk: Sdk, connection: S3ConnectionOptions): S3.S3Client {
  const { timeoutMs = 30_000, maxAttempts = 4, forcePathStyle, ...rest } = connection;
  const ownServer =
    connection.endpoint ?? process.env["AWS_ENDPOINT_URL_S3"] ?? process.env["AWS_ENDPOINT_URL"];
  return new sdk.S3Client({
    ...rest,
    maxAttempts,
    forcePathStyle: forcePathStyle ?? ownServer !== undefined,
    // Older servers refuse the checksum trailers that the SDK would add of its own accord.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: Math.min(timeoutMs, 10_000), socketTimeout: timeoutMs },
  });
}
