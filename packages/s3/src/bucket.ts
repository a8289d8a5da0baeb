import { Readable } from "node:stream";
import type * as S3 from "@aws-sdk/client-s3";
import { CHANGE_GRACE_MS } from "@fs/protocol/async";
import type { VolumeCall } from "@fs/protocol/author";
import { recordAttempts } from "./attempts.js";
import { clientOf } from "./client.js";
import { LONGEST_TIMER_MS, untilCutOff } from "./cut-off.js";
import { MIB, type S3ConnectionOptions } from "./options.js";
import { serverTimeOf } from "./server-time.js";

type Sdk = typeof S3;
type Input<T> = Omit<T, "Bucket">;

/** Milliseconds more that a request may take for each MiB that it carries. */
const MS_PER_MIB = 4000;

/** A bucket, one method per kind of request. Nothing is loaded or connected before the first of them. */
export class Bucket {
  readonly name: string;
  readonly #given: S3.S3Client | undefined;
  readonly #connection: S3ConnectionOptions;
  readonly #callTimeoutMs: number;
  #own: S3.S3Client | undefined;

  constructor(
    name: string,
    client: S3.S3Client | undefined,
    connection: S3ConnectionOptions,
    callTimeoutMs: number,
  ) {
    this.name = name;
    this.#given = client;
    this.#connection = connection;
    this.#callTimeoutMs = callTimeoutMs;
  }

  /** Whether keys are listed in the order of their bytes, and a listing can begin after any: not in a directory bucket. */
  get listsInOrder(): boolean {
    return !this.name.endsWith("--x-s3");
  }

  /** The head of an object's answer; its body is read by {@link readBody}. */
  async getObject(
    input: Input<S3.GetObjectCommandInput>,
    call: VolumeCall,
  ): Promise<S3.GetObjectCommandOutput> {
    const { client, sdk } = await this.connect();
    const command = new sdk.GetObjectCommand({ Bucket: this.name, ...input });
    return this.#read(call, 0, (abortSignal) => client.send(command, { abortSignal }));
  }

  /** Runs a task over the body of an answer, which is closed when the caller gives up or the time of its length is over. */
  async readBody<T>(
    output: S3.GetObjectCommandOutput,
    call: VolumeCall,
    task: (body: Readable) => Promise<T>,
  ): Promise<T> {
    const body = output.Body instanceof Readable ? output.Body : Readable.from([]);
    return this.#read(call, output.ContentLength ?? 0, (cut) => {
      cut.addEventListener("abort", () => body.destroy(), { once: true });
      return task(body);
    });
  }

  async headObject(
    input: Input<S3.HeadObjectCommandInput>,
    call: VolumeCall,
  ): Promise<S3.HeadObjectCommandOutput> {
    const { client, sdk } = await this.connect();
    const command = new sdk.HeadObjectCommand({ Bucket: this.name, ...input });
    return this.#read(call, 0, (abortSignal) => client.send(command, { abortSignal }));
  }

  /** Keys come encoded (`EncodingType`): XML cannot carry all of them. */
  async listObjects(
    input: Input<S3.ListObjectsV2CommandInput>,
    call: VolumeCall,
  ): Promise<S3.ListObjectsV2CommandOutput> {
    const { client, sdk } = await this.connect();
    const query = { Bucket: this.name, EncodingType: "url", ...input } as const;
    const command = new sdk.ListObjectsV2Command(query);
    return this.#read(call, 0, (abortSignal) => client.send(command, { abortSignal }));
  }

  async listUploads(
    input: Input<S3.ListMultipartUploadsCommandInput>,
    call: VolumeCall,
  ): Promise<S3.ListMultipartUploadsCommandOutput> {
    const { client, sdk } = await this.connect();
    const query = { Bucket: this.name, EncodingType: "url", ...input } as const;
    const command = new sdk.ListMultipartUploadsCommand(query);
    return this.#read(call, 0, (abortSignal) => client.send(command, { abortSignal }));
  }

  async putObject(
    input: Input<S3.PutObjectCommandInput> & { readonly ContentLength: number },
    call: VolumeCall,
  ): Promise<S3.PutObjectCommandOutput & { readonly serverTime?: Date | undefined }> {
    const { client, sdk } = await this.connect();
    const command = new sdk.PutObjectCommand({ Bucket: this.name, ...input });
    const serverTime = serverTimeOf(command);
    const output = await this.#change(call, input.ContentLength, (abortSignal) =>
      recordAttempts(command, () => client.send(command, { abortSignal })),
    );
    return { ...output, serverTime: serverTime() };
  }

  /** @param header Conditions of one kind of server that the SDK does not know. */
  async deleteObject(
    input: Input<S3.DeleteObjectCommandInput>,
    call: VolumeCall,
    header: Readonly<Record<string, string>> = {},
  ): Promise<S3.DeleteObjectCommandOutput> {
    const { client, sdk } = await this.connect();
    const command = new sdk.DeleteObjectCommand({ Bucket: this.name, ...input });
    command.middlewareStack.add(
      (next) => (args) => {
        const { request } = args;
        if (typeof request === "object" && request !== null && "headers" in request)
          Object.assign(request.headers as object, header);
        return next(args);
      },
      { step: "build", name: "headers" },
    );
    return this.#change(call, 0, (abortSignal) =>
      recordAttempts(command, () => client.send(command, { abortSignal })),
    );
  }

  async deleteObjects(
    keys: readonly string[],
    call: VolumeCall,
  ): Promise<S3.DeleteObjectsCommandOutput> {
    const { client, sdk } = await this.connect();
    const Objects = keys.map((Key) => ({ Key }));
    const command = new sdk.DeleteObjectsCommand({
      Bucket: this.name,
      Delete: { Objects, Quiet: true },
    });
    return this.#change(call, 0, (abortSignal) =>
      recordAttempts(command, () => client.send(command, { abortSignal })),
    );
  }

  async createUpload(
    input: Input<S3.CreateMultipartUploadCommandInput>,
    call: VolumeCall,
  ): Promise<S3.CreateMultipartUploadCommandOutput> {
    const { client, sdk } = await this.connect();
    const command = new sdk.CreateMultipartUploadCommand({ Bucket: this.name, ...input });
    return this.#change(call, 0, (abortSignal) => client.send(command, { abortSignal }));
  }

  async uploadPart(
    input: Input<S3.UploadPartCommandInput> & { readonly ContentLength: number },
    call: VolumeCall,
  ): Promise<S3.UploadPartCommandOutput> {
    const { client, sdk } = await this.connect();
    const command = new sdk.UploadPartCommand({ Bucket: this.name, ...input });
    return this.#change(call, input.ContentLength, (abortSignal) =>
      client.send(command, { abortSignal }),
    );
  }

  /** @param bytes Of the whole object, which some servers copy before they answer. */
  async completeUpload(
    input: Input<S3.CompleteMultipartUploadCommandInput>,
    call: VolumeCall,
    bytes: number,
  ): Promise<S3.CompleteMultipartUploadCommandOutput> {
    const { client, sdk } = await this.connect();
    const command = new sdk.CompleteMultipartUploadCommand({ Bucket: this.name, ...input });
    return this.#change(call, bytes, (abortSignal) =>
      recordAttempts(command, () => client.send(command, { abortSignal })),
    );
  }

  async abortUpload(
    input: Input<S3.AbortMultipartUploadCommandInput>,
    call: VolumeCall,
  ): Promise<void> {
    const { client, sdk } = await this.connect();
    const command = new sdk.AbortMultipartUploadCommand({ Bucket: this.name, ...input });
    await this.#change(call, 0, (abortSignal) => client.send(command, { abortSignal }));
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

  #read<T>(
    { signal }: VolumeCall,
    bytes: number,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return untilCutOff({ signal, graceMs: 0, timeoutMs: this.#timeoutFor(bytes) }, task);
  }

  #change<T>(
    { signal }: VolumeCall,
    bytes: number,
    task: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    return untilCutOff(
      { signal, graceMs: CHANGE_GRACE_MS, timeoutMs: this.#timeoutFor(bytes) },
      task,
    );
  }

  #timeoutFor(bytes: number): number {
    const more = Number.isFinite(bytes) ? (bytes / MIB) * MS_PER_MIB : 0;
    return Math.min(this.#callTimeoutMs + more, LONGEST_TIMER_MS);
  }
}
