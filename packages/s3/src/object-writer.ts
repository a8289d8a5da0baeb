import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import type { HeadObjectCommandOutput } from "@aws-sdk/client-s3";
import { VolumeError, type PutCondition } from "@fs/protocol/author";
import { bodyOfBytes } from "./body-stream.js";
import { BoundedCache } from "./bounded-cache.js";
import type { Bucket } from "./bucket.js";
import { bareEtag } from "./etag.js";
import { isConditionFailed, isMissingKey, mayHaveHappened, refuseAborted } from "./failures.js";
import {
  newProperties,
  propertiesOf,
  WRITE_ID,
  type ObjectProperties,
} from "./object-properties.js";
import { ABANDONED_AFTER, ageOf, isTombstone, onceRemoved } from "./tombstone.js";
import type { Trust } from "./trust.js";

/** Objects whose properties are remembered between the read and the write of an edit. */
const REMEMBERED = 4096;

/** What an object is stored with. */
export type StoredAs = { readonly Key: string } & ObjectProperties;

/** Stores objects under conditions, and finds out what became of a write whose answer was lost. */
export class ObjectWriter {
  readonly #bucket: Bucket;
  readonly #trust: Trust;
  readonly #multipartBytes: number;
  readonly #remembered = new BoundedCache<ObjectProperties>(REMEMBERED);

  constructor(bucket: Bucket, trust: Trust, multipartBytes: number) {
    this.#bucket = bucket;
    this.#trust = trust;
    this.#multipartBytes = multipartBytes;
  }

  /** Keeps what an edit of this version would carry over, so that it need not ask. */
  remember(key: string, version: string, properties: ObjectProperties): void {
    this.#remembered.set(key, version, properties, 1);
  }

  /** What stands at a key, or `undefined`. Waits for the end of a removal under way. */
  async head(key: string, signal?: AbortSignal): Promise<HeadObjectCommandOutput | undefined> {
    return onceRemoved(() => this.#headOf(key, signal), signal);
  }

  /** Stores a file whole. Returns its version. Throws `already_exists` or `conflict`. */
  async put(
    path: string,
    key: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<string | undefined> {
    const { ifAbsent, ifVersion, signal } = condition;
    const conditional = ifAbsent === true || ifVersion !== undefined;
    const capabilities = conditional ? await this.#trust.capabilities() : undefined;
    const properties =
      ifVersion === undefined
        ? newProperties(path, bytes)
        : await this.#propertiesOfVersion(key, ifVersion, signal);
    if (conditional && capabilities === undefined) await this.#check(key, condition);
    refuseAborted(signal);
    const input = { Key: key, ...properties };
    // Only a single request is conditional everywhere: older servers ignore conditions on an upload in parts.
    if (!conditional && bytes.length >= this.#multipartBytes)
      return this.putParts(input, bodyOfBytes(bytes, signal));
    if (capabilities === undefined) return this.putWhole(input, bytes, {});
    if (ifVersion !== undefined) return this.putWhole(input, bytes, { IfMatch: ifVersion });
    return this.#create(input, bytes, capabilities.conditionalDelete);
  }

  /** One PUT. Throws `already_exists` where `If-None-Match` refuses it and `conflict` where `If-Match` does. */
  async putWhole(
    input: StoredAs,
    bytes: Uint8Array,
    condition: { readonly IfNoneMatch?: "*"; readonly IfMatch?: string },
  ): Promise<string | undefined> {
    return this.#recognised(input, condition, async (marked) => {
      const request = { ...marked, ...condition, Body: bytes, ContentLength: bytes.length };
      return bareEtag((await this.#bucket.putObject(request)).ETag);
    });
  }

  /** Stores what a stream yields, in parts: all of it or nothing, and the parts of an upload that failed are removed. */
  async putParts(input: StoredAs, body: Readable): Promise<string | undefined> {
    const { Upload } = await import("@aws-sdk/lib-storage");
    const { client } = await this.#bucket.connect();
    return this.#recognised(input, {}, async (marked) => {
      const params = { Bucket: this.#bucket.name, ...marked, Body: body };
      // An error of the stream, unlike `abort()`, makes `done` wait for the parts under way and remove them all.
      return bareEtag((await new Upload({ client, params }).done()).ETag);
    });
  }

  async #create(
    input: StoredAs,
    bytes: Uint8Array,
    tombstonesUnknown: boolean,
  ): Promise<string | undefined> {
    try {
      return await this.putWhole(input, bytes, { IfNoneMatch: "*" });
    } catch (error) {
      const refused = VolumeError.isInstance(error) && error.code === "already_exists";
      if (!refused || tombstonesUnknown) throw error;
      if ((await this.head(input.Key)) !== undefined) throw error;
      const standing = await this.#headOf(input.Key);
      const version = bareEtag(standing?.ETag);
      // Gone in between.
      if (standing === undefined || version === undefined)
        return this.putWhole(input, bytes, { IfNoneMatch: "*" });
      if (!isTombstone(standing)) throw error;
      if (ageOf(standing) < ABANDONED_AFTER) throw new VolumeError("conflict");
      return this.putWhole(input, bytes, { IfMatch: version });
    }
  }

  async #propertiesOfVersion(
    key: string,
    version: string,
    signal: AbortSignal | undefined,
  ): Promise<ObjectProperties> {
    const remembered = this.#remembered.get(key, version);
    if (remembered !== undefined) return remembered;
    const head = await this.head(key, signal);
    if (head === undefined || bareEtag(head.ETag) !== version) throw new VolumeError("conflict");
    return propertiesOf(head);
  }

  /** Looks, where nobody else does. Another client may still get in between. */
  async #check(key: string, { ifAbsent, ifVersion, signal }: PutCondition): Promise<void> {
    const version = bareEtag((await this.head(key, signal))?.ETag);
    if (ifAbsent === true && version !== undefined) throw new VolumeError("already_exists");
    if (ifVersion !== undefined && version !== ifVersion) throw new VolumeError("conflict");
  }

  /**
   * Marks a write with an id of its own, so that one which failed, or met a condition that its own first attempt had made
   * false, is recognised when it was stored after all.
   */
  async #recognised(
    input: StoredAs,
    condition: { readonly IfNoneMatch?: "*"; readonly IfMatch?: string },
    write: (marked: StoredAs) => Promise<string | undefined>,
  ): Promise<string | undefined> {
    const id = randomUUID();
    try {
      return await write({ ...input, Metadata: { ...input.Metadata, [WRITE_ID]: id } });
    } catch (error) {
      if (mayHaveHappened(error)) {
        const standing = await this.#headOrThrow(input.Key, error);
        if (standing?.Metadata?.[WRITE_ID] === id) return bareEtag(standing.ETag);
      }
      if (condition.IfNoneMatch !== undefined && isConditionFailed(error, "absent"))
        throw new VolumeError("already_exists");
      if (condition.IfMatch !== undefined && isConditionFailed(error, "version"))
        throw new VolumeError("conflict");
      throw error;
    }
  }

  async #headOf(key: string, signal?: AbortSignal): Promise<HeadObjectCommandOutput | undefined> {
    try {
      return await this.#bucket.headObject({ Key: key }, { signal });
    } catch (error) {
      if (isMissingKey(error)) return undefined;
      throw error;
    }
  }

  /** The error of the write is the one to tell, when asking fails as well. */
  async #headOrThrow(key: string, error: unknown): Promise<HeadObjectCommandOutput | undefined> {
    return this.#headOf(key).catch(() => {
      throw error;
    });
  }
}
