import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { BoundedCache } from "./bounded-cache.js";
import { VolumeError, type PutCondition } from "@fs/protocol/volume";
import type { Bucket } from "./bucket.js";
import { bareEtag } from "./etag.js";
import { isConditionFailed, isMissingKey, mayHaveHappened, refuseAborted } from "./failures.js";
import {
  newProperties,
  propertiesOf,
  WRITE_ID,
  type ObjectProperties,
} from "./object-properties.js";
import type { HeadObjectCommandOutput } from "@aws-sdk/client-s3";

/** Objects whose properties are remembered between the read and the write of an edit. */
const REMEMBERED = 4096;

/** What must be true of the stored object, in the terms of the protocol. */
type Expected = Pick<PutCondition, "ifAbsent" | "ifVersion">;

/** Stores objects under conditions, and finds out what became of a write whose answer was lost. */
export class ObjectWriter {
  readonly #bucket: Bucket;
  readonly #multipartBytes: number;
  readonly #remembered = new BoundedCache<ObjectProperties>(REMEMBERED);

  constructor(bucket: Bucket, multipartBytes: number) {
    this.#bucket = bucket;
    this.#multipartBytes = multipartBytes;
  }

  /** Keeps what an edit of this version would carry over, so that it need not ask. */
  remember(key: string, version: string, properties: ObjectProperties): void {
    this.#remembered.set(key, version, properties, 1);
  }

  /**
   * Stores an object whole. Throws `already_exists` or `conflict`.
   *
   * @param enforced Whether the server is trusted with the condition; otherwise it is checked beforehand.
   */
  async put(
    path: string,
    key: string,
    bytes: Uint8Array,
    condition: PutCondition,
    enforced: boolean,
  ): Promise<string | undefined> {
    const properties = await this.#propertiesFor(path, key, bytes, condition);
    if (!enforced) await this.#check(key, condition);
    refuseAborted(condition.signal);
    const unconditional = condition.ifAbsent !== true && condition.ifVersion === undefined;
    const id = randomUUID();
    const input = { Key: key, ...properties, Metadata: { ...properties.Metadata, [WRITE_ID]: id } };
    try {
      // Only a single request is conditional everywhere: older servers ignore conditions on an upload in parts.
      if (unconditional && bytes.length >= this.#multipartBytes)
        return await this.putParts(input, slicesOf(bytes, condition.signal));
      const headers = enforced ? headersOf(condition) : {};
      const { ETag } = await this.#bucket.putObject({
        ...input,
        Body: bytes,
        ContentLength: bytes.length,
        ...headers,
      });
      return bareEtag(ETag);
    } catch (error) {
      return this.#settle(key, id, error, condition);
    }
  }

  /** Stores what a stream yields, in parts, all of it or nothing: parts of an upload that failed are removed. */
  async putParts(
    input: { readonly Key: string } & ObjectProperties,
    body: Readable,
  ): Promise<string | undefined> {
    const [{ Upload }, { client }] = await Promise.all([
      import("@aws-sdk/lib-storage"),
      this.#bucket.connect(),
    ]);
    const params = { Bucket: this.#bucket.name, ...input, Body: body };
    // An error of the stream, unlike `abort()`, makes `done` wait for the parts under way and remove them all.
    const { ETag } = await new Upload({ client, params }).done();
    return bareEtag(ETag);
  }

  /** What stands at a key, or `undefined`. */
  async head(key: string, signal?: AbortSignal): Promise<HeadObjectCommandOutput | undefined> {
    try {
      return await this.#bucket.headObject({ Key: key }, { signal });
    } catch (error) {
      if (isMissingKey(error)) return undefined;
      throw error;
    }
  }

  async #propertiesFor(
    path: string,
    key: string,
    bytes: Uint8Array,
    { ifVersion, signal }: PutCondition,
  ): Promise<ObjectProperties> {
    if (ifVersion === undefined) return newProperties(path, bytes);
    const remembered = this.#remembered.get(key, ifVersion);
    if (remembered !== undefined) return remembered;
    const head = await this.head(key, signal);
    if (head === undefined || bareEtag(head.ETag) !== ifVersion) throw new VolumeError("conflict");
    return propertiesOf(head);
  }

  async #check(key: string, { ifAbsent, ifVersion, signal }: PutCondition): Promise<void> {
    if (ifAbsent !== true && ifVersion === undefined) return;
    const version = bareEtag((await this.head(key, signal))?.ETag);
    if (ifAbsent === true && version !== undefined) throw new VolumeError("already_exists");
    if (ifVersion !== undefined && version !== ifVersion) throw new VolumeError("conflict");
  }

  /** The version if a write that failed, or met a condition that its own first attempt had made false, was stored after all. */
  async #settle(
    key: string,
    id: string,
    error: unknown,
    expected: Expected,
  ): Promise<string | undefined> {
    if (mayHaveHappened(error)) {
      const head = await this.#headOrThrow(key, error);
      if (head?.Metadata?.[WRITE_ID] === id) return bareEtag(head.ETag);
    }
    if (expected.ifAbsent === true && isConditionFailed(error, "absent"))
      throw new VolumeError("already_exists");
    if (expected.ifVersion !== undefined && isConditionFailed(error, "version"))
      throw new VolumeError("conflict");
    throw error;
  }

  /** The error of the write is the one to tell, when asking fails as well. */
  async #headOrThrow(key: string, error: unknown): Promise<HeadObjectCommandOutput | undefined> {
    return this.head(key).catch(() => {
      throw error;
    });
  }
}

function headersOf({ ifAbsent, ifVersion }: Expected): { IfNoneMatch?: string; IfMatch?: string } {
  if (ifAbsent === true) return { IfNoneMatch: "*" };
  return ifVersion === undefined ? {} : { IfMatch: ifVersion };
}

const SLICE = 1024 * 1024;

function slicesOf(bytes: Uint8Array, signal: AbortSignal | undefined): Readable {
  function* slices(): Generator<Uint8Array> {
    for (let from = 0; from < bytes.length; from += SLICE) {
      refuseAborted(signal);
      yield bytes.subarray(from, from + SLICE);
    }
  }
  return Readable.from(slices(), { objectMode: false });
}
