import type { Readable } from "node:stream";
import type { HeadObjectCommandOutput } from "@aws-sdk/client-s3";
import { quote, VolumeError, type PutCondition } from "@fs/protocol/author";
import { refuseAborted } from "@fs/protocol/async";
import { hasLostRaces, mayHaveHappened } from "./attempts.js";
import { bodyOfBytes } from "./body-stream.js";
import { BoundedCache } from "./bounded-cache.js";
import type { Bucket } from "./bucket.js";
import type { Capabilities } from "./capabilities.js";
import { bareEtag, isOneVersion } from "./etag.js";
import { isConditionFailed, isMissingKey, Unconfirmed } from "./failures.js";
import { newProperties, propertiesOf, type ObjectProperties } from "./object-properties.js";
import type { S3VolumeSettings, StoredAlways } from "./options.js";
import { ageOf, EXPIRED_AFTER_MS, isTombstone, onceTidied, PATIENCE_MS } from "./tombstone.js";
import type { Trust } from "./trust.js";
import { putParts } from "./upload-parts.js";
import { fateOf, newWriteId, withWrite } from "./write-log.js";

/** Objects whose properties are remembered between the read and the write of an edit. */
const REMEMBERED = 4096;
/** Times that a creation which met a removal is begun anew. */
const ROUNDS = 10;
/** Times that a replacement is begun anew; of those that run at once, one succeeds in each round. */
const REPLACING_ROUNDS = 100;

/** What an object is stored with. */
export type StoredAs = { readonly Key: string } & ObjectProperties & StoredAlways;

/** What a write left behind. */
export interface Stored {
  /** Absent where others have changed the file since. */
  readonly version: string | undefined;
  /** The id of the write, as the log of the object has it. */
  readonly writeId: string;
  /** The server's clock when it answered. */
  readonly at: Date | undefined;
}

/** What must be true of the object that a request replaces. */
export interface WriteCondition {
  readonly IfNoneMatch?: "*";
  readonly IfMatch?: string;
}

/** Stores objects under conditions, and finds out what became of a write whose answer was lost. */
export class ObjectWriter {
  readonly #bucket: Bucket;
  readonly #trust: Trust;
  readonly #multipartBytes: number;
  readonly #storedAs: StoredAlways;
  readonly #remembered = new BoundedCache<ObjectProperties>(REMEMBERED);

  constructor(bucket: Bucket, trust: Trust, settings: S3VolumeSettings) {
    this.#bucket = bucket;
    this.#trust = trust;
    this.#multipartBytes = settings.multipartBytes;
    this.#storedAs = settings.storedAs;
  }

  /** Keeps what an edit of this version would carry over, so that it need not ask. */
  remember(key: string, version: string, properties: ObjectProperties): void {
    this.#remembered.set(key, version, properties, 1);
  }

  /** What is at a key, a tombstone too. */
  async standing(
    key: string,
    signal: AbortSignal | undefined,
  ): Promise<HeadObjectCommandOutput | undefined> {
    try {
      return await this.#bucket.headObject({ Key: key }, { signal });
    } catch (error) {
      if (isMissingKey(error)) return undefined;
      throw error;
    }
  }

  /** What is at a key, or `undefined`: also for a file whose removal is being tidied up. */
  async head(
    key: string,
    signal: AbortSignal | undefined,
  ): Promise<HeadObjectCommandOutput | undefined> {
    const standing = await this.standing(key, signal);
    return standing === undefined || isTombstone(standing) ? undefined : standing;
  }

  /** Stores a file whole. Throws `already_exists` or `conflict`. */
  async put(
    path: string,
    key: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<Stored> {
    const { ifAbsent, ifVersion, signal } = condition;
    if (ifVersion !== undefined && !isOneVersion(ifVersion)) throw new VolumeError("conflict");
    const conditional = ifAbsent === true || ifVersion !== undefined;
    const capabilities = conditional ? await this.#trust.capabilities(signal) : undefined;
    const properties =
      ifVersion === undefined
        ? newProperties(path, bytes)
        : await this.#propertiesOfVersion(key, ifVersion, signal);
    if (conditional && capabilities === undefined) await this.#check(key, condition);
    refuseAborted(signal);
    const input = { Key: key, ...properties };
    // Only a single request is conditional everywhere: older servers ignore conditions on an upload in parts.
    if (!conditional && bytes.length >= this.#multipartBytes)
      return this.putStream(input, bodyOfBytes(bytes, signal), signal);
    const careful = conditional ? undefined : await this.#trust.losesPlainPuts(signal);
    if (careful !== undefined)
      return this.#create(path, input, bytes, { spares: careful.spares, replaces: true }, signal);
    if (capabilities === undefined) return this.putWhole(input, bytes, {}, { signal });
    if (ifVersion !== undefined)
      return this.putWhole(input, bytes, { IfMatch: ifVersion }, { signal });
    const { spares } = capabilities;
    return this.#create(path, input, bytes, { spares, replaces: false }, signal);
  }

  /**
   * One PUT. Throws `already_exists` where `If-None-Match` refuses it and `conflict` where `If-Match` does, and
   * {@link Unconfirmed} where its outcome is unknown.
   */
  async putWhole(
    input: StoredAs,
    bytes: Uint8Array,
    condition: WriteCondition,
    {
      signal,
      change = "stored",
    }: { signal?: AbortSignal | undefined; change?: "stored" | "removed" },
  ): Promise<Stored> {
    return this.#recognised(input, condition, { signal, change }, async (marked) => {
      const request = { ...marked, ...condition, Body: bytes, ContentLength: bytes.length };
      const { ETag, serverTime } = await this.#bucket.putObject(request, { signal });
      return { version: bareEtag(ETag), at: serverTime };
    });
  }

  /** Stores what a stream yields, in parts, replacing: all of it or nothing. */
  async putStream(
    input: StoredAs,
    body: Readable,
    signal: AbortSignal | undefined,
  ): Promise<Stored> {
    return this.#recognised(input, {}, { signal, change: "stored" }, async (marked) => ({
      version: bareEtag(await putParts(this.#bucket, marked, body, { signal })),
      at: undefined,
    }));
  }

  /** Creates a file, also in the place of one whose removal was not tidied up, and with `replaces` in that of any other. */
  async #create(
    path: string,
    input: StoredAs,
    bytes: Uint8Array,
    { spares, replaces }: { spares: Capabilities["spares"]; replaces: boolean },
    signal: AbortSignal | undefined,
  ): Promise<Stored> {
    let condition: WriteCondition = { IfNoneMatch: "*" };
    for (let round = 1; ; round++) {
      try {
        return await this.putWhole(input, bytes, condition, { signal });
      } catch (error) {
        const refused =
          VolumeError.isInstance(error) &&
          (error.code === "already_exists" || error.code === "conflict");
        if (!refused || round === (replaces ? REPLACING_ROUNDS : ROUNDS)) throw error;
      }
      const patience = spares === undefined ? 0 : PATIENCE_MS[spares];
      const standing = await onceTidied(() => this.standing(input.Key, signal), patience, signal);
      const stands = standing !== undefined && !isTombstone(standing);
      if (stands && !replaces) throw new VolumeError("already_exists");
      if (standing === undefined) condition = { IfNoneMatch: "*" };
      else if (stands || spares !== undefined || ageOf(standing) > EXPIRED_AFTER_MS)
        condition = { IfMatch: bareEtag(standing.ETag) ?? "" };
      else throw stillRemoving(path);
      refuseAborted(signal);
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

  /** Looks, where the server does not. Another client may still get in between. */
  async #check(key: string, { ifAbsent, ifVersion, signal }: PutCondition): Promise<void> {
    const version = bareEtag((await this.head(key, signal))?.ETag);
    if (ifAbsent === true && version !== undefined) throw new VolumeError("already_exists");
    if (ifVersion !== undefined && version !== ifVersion) throw new VolumeError("conflict");
  }

  /** Enters a write into the log of its object, so that one which failed is recognised when it was stored after all. */
  async #recognised(
    input: StoredAs,
    condition: WriteCondition,
    { signal, change }: { signal: AbortSignal | undefined; change: "stored" | "removed" },
    write: (marked: StoredAs) => Promise<Omit<Stored, "writeId">>,
  ): Promise<Stored> {
    const writeId = newWriteId();
    const { IfMatch, IfNoneMatch } = condition;
    const Metadata = withWrite(input.Metadata, writeId, IfMatch);
    try {
      return { ...(await write({ ...input, ...this.#storedAs, Metadata })), writeId };
    } catch (error) {
      if (VolumeError.isInstance(error)) throw error;
      if (!mayHaveHappened(error)) throw refusalOf(error, condition);
      const standing = await this.#standingAfter(input.Key, error, change, signal);
      const fate = fateOf(standing, writeId, IfMatch);
      if (fate === "stored")
        return { version: bareEtag(standing?.ETag), at: standing?.LastModified, writeId };
      if (fate === "superseded") return { version: undefined, at: standing?.LastModified, writeId };
      if (fate === "refused") throw new VolumeError("conflict");
      // Another object is in the place that was to be empty, and the last attempt was refused for it.
      const taken = IfNoneMatch !== undefined && standing !== undefined;
      if (taken && isConditionFailed(error, "absent")) throw new VolumeError("already_exists");
      // What won may be gone again, and its log with it, as after a removal.
      const refusal = hasLostRaces(error) ? refusalOf(error, condition) : undefined;
      throw VolumeError.isInstance(refusal) ? refusal : new Unconfirmed(change, error);
    }
  }

  async #standingAfter(
    key: string,
    error: unknown,
    change: "stored" | "removed",
    signal: AbortSignal | undefined,
  ): Promise<HeadObjectCommandOutput | undefined> {
    // A caller that gave up is not kept waiting for one more answer.
    if (signal?.aborted === true) throw new Unconfirmed(change, error);
    try {
      return await this.standing(key, signal);
    } catch {
      // The error of the write is the one to report when asking fails as well.
      throw new Unconfirmed(change, error);
    }
  }
}

function refusalOf(error: unknown, { IfNoneMatch, IfMatch }: WriteCondition): unknown {
  if (IfNoneMatch !== undefined && isConditionFailed(error, "absent"))
    return new VolumeError("already_exists");
  if (IfMatch !== undefined && isConditionFailed(error, "version"))
    return new VolumeError("conflict");
  return error;
}

function stillRemoving(path: string): VolumeError {
  const minutes = EXPIRED_AFTER_MS / 60_000;
  return new VolumeError(
    "unavailable",
    `A file was removed from ${quote(path)}, and the storage has not confirmed that it is done with it. ` +
      `A new file can be stored there ${minutes} minutes after the removal.`,
  );
}
