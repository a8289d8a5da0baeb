import { VolumeError } from "@fs/protocol/author";
import { refuseAborted } from "@fs/protocol/async";
import { mayHaveHappened } from "./attempts.js";
import type { Bucket } from "./bucket.js";
import type { Capabilities } from "./capabilities.js";
import { bareEtag, isOneVersion } from "./etag.js";
import { isConditionFailed, isMissingKey, Unconfirmed } from "./failures.js";
import type { ObjectWriter } from "./object-writer.js";
import { isTombstone, PATIENCE_MS, TOMBSTONE, TOMBSTONE_PROPERTIES } from "./tombstone.js";
import type { Trust } from "./trust.js";
import { unlessModifiedSince } from "./unless-modified.js";
import { isReplaced } from "./write-log.js";

/** No tag is shorter than that of an object stored in one piece: such a one is compared whole. */
const SHORTEST_TAG = /^[0-9a-f]{32}$/;

/** Lost rounds after which a removal gives up. */
const ROUNDS = 20;

/** Called with what kept the tombstone of a file that is removed from being tidied up. */
export type LeftoverListener = (error: unknown, key: string) => void;

/** Removes single objects. */
export class ObjectRemover {
  readonly #bucket: Bucket;
  readonly #trust: Trust;
  readonly #writer: ObjectWriter;
  readonly #onLeftover: LeftoverListener;

  constructor(bucket: Bucket, trust: Trust, writer: ObjectWriter, onLeftover: LeftoverListener) {
    this.#bucket = bucket;
    this.#trust = trust;
    this.#writer = writer;
    this.#onLeftover = onLeftover;
  }

  /**
   * Removes whatever is at a key. Returns whether anything was: the answer to a deletion does not say, so the version that is there
   * is removed, and of several clients that do so one succeeds.
   */
  async remove(Key: string, signal: AbortSignal | undefined): Promise<boolean> {
    for (let round = 1; ; round++) {
      const version = bareEtag((await this.#writer.head(Key, signal))?.ETag);
      if (version === undefined) return false;
      try {
        await this.removeVersion(Key, version, signal);
        return true;
      } catch (error) {
        const changed = VolumeError.isInstance(error) && error.code === "conflict";
        if (!changed || round === ROUNDS) throw error;
      }
    }
  }

  /** Removes exactly this version. Throws `conflict`, also where nothing is. */
  async removeVersion(
    Key: string,
    version: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    if (!isOneVersion(version)) throw new VolumeError("conflict");
    const capabilities = await this.#trust.capabilities(signal);
    refuseAborted(signal);
    if (capabilities?.mayDelete === false) throw new VolumeError("permission_denied");
    if (capabilities === undefined) return this.#removeUnchecked(Key, version, signal);
    if (capabilities.conditionalDelete) return this.#removeIfMatch(Key, version, signal);
    return this.#bury(Key, version, capabilities, signal);
  }

  /** Two steps: the first decides, and is the removal. */
  async #bury(
    Key: string,
    version: string,
    { spares }: Capabilities,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    // Ceph compares as many characters as its own tag has, so that one with more behind it would match as well.
    if (!SHORTEST_TAG.test(version)) await this.#refuseOther(Key, version, signal);
    const tombstone = await this.#putTombstone(Key, version, spares, signal);
    const IfMatch = spares === "version" ? { IfMatch: tombstone.version ?? "" } : {};
    try {
      if (spares === "time") await this.#tidyByTime(Key, tombstone.at, signal);
      else await this.#bucket.deleteObject({ Key, ...IfMatch }, { signal });
    } catch (error) {
      // Something newer is in its place, or nothing: there is nothing to tidy up.
      if (!isConditionFailed(error, "version")) this.#onLeftover(error, Key);
    }
  }

  /** Throws `conflict` where another client removes the file, and {@link Unconfirmed} where it is not known whether this one does. */
  async #putTombstone(
    Key: string,
    version: string,
    spares: Capabilities["spares"],
    signal: AbortSignal | undefined,
  ): ReturnType<ObjectWriter["putWhole"]> {
    const properties = { Key, ...TOMBSTONE_PROPERTIES };
    const began = performance.now();
    try {
      return await this.#writer.putWhole(
        properties,
        TOMBSTONE,
        { IfMatch: version },
        { signal, change: "removed" },
      );
    } catch (error) {
      const refused = error instanceof Unconfirmed && isConditionFailed(error.cause, "version");
      if (!refused || spares !== "time") throw error;
      // The winner of a race may have tidied up by now, so that no object shows whose removal it was. One of ours would be there: for
      // this long no new file takes its place, and what replaces it unasked, or removes its whole directory, would have done so to the
      // file.
      const [looked] = await Promise.allSettled([this.#writer.standing(Key, signal)]);
      const isGone = looked.status === "fulfilled" && looked.value === undefined;
      const inTime = performance.now() - began < PATIENCE_MS.time / 2;
      throw isGone && inTime ? new VolumeError("conflict") : error;
    }
  }

  /**
   * The time of an answer can be a second before that of the object that it is about: servers read it from a clock that is some
   * milliseconds late. Where the deletion is refused, the tombstone itself is asked for its time.
   */
  async #tidyByTime(
    Key: string,
    answeredAt: Date | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const tidy = (at: Date | undefined): Promise<unknown> =>
      this.#bucket.deleteObject(
        { Key },
        { signal },
        at === undefined ? {} : unlessModifiedSince(at),
      );
    try {
      await tidy(answeredAt);
    } catch (error) {
      if (!isConditionFailed(error, "version")) throw error;
      const standing = await this.#writer.standing(Key, signal);
      if (standing?.LastModified !== undefined && isTombstone(standing))
        await tidy(standing.LastModified);
    }
  }

  /** Where no condition is honoured: looks, and deletes. */
  async #removeUnchecked(
    Key: string,
    version: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    await this.#refuseOther(Key, version, signal);
    try {
      await this.#bucket.deleteObject({ Key }, { signal });
    } catch (error) {
      if (!mayHaveHappened(error)) throw error;
      if ((await this.#standingAfter(Key, error, signal)) !== undefined)
        throw new Unconfirmed("removed", error);
    }
  }

  async #refuseOther(Key: string, version: string, signal: AbortSignal | undefined): Promise<void> {
    const standing = await this.#writer.head(Key, signal);
    if (bareEtag(standing?.ETag) !== version) throw new VolumeError("conflict");
  }

  async #removeIfMatch(
    Key: string,
    version: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    try {
      await this.#bucket.deleteObject({ Key, IfMatch: version }, { signal });
    } catch (error) {
      if (mayHaveHappened(error)) {
        const standing = await this.#standingAfter(Key, error, signal);
        // Where nothing is, an earlier attempt has removed it, or another client that may have moved it elsewhere.
        if (standing === undefined || !isReplaced(standing, version))
          throw new Unconfirmed("removed", error);
        throw new VolumeError("conflict");
      }
      if (isConditionFailed(error, "version")) throw new VolumeError("conflict");
      throw error;
    }
  }

  async #standingAfter(
    Key: string,
    error: unknown,
    signal: AbortSignal | undefined,
  ): ReturnType<ObjectWriter["head"]> {
    if (signal?.aborted === true) throw new Unconfirmed("removed", error);
    try {
      return await this.#writer.head(Key, signal);
    } catch (asked) {
      if (isMissingKey(asked)) return undefined;
      throw new Unconfirmed("removed", error);
    }
  }
}
