import { VolumeError } from "@fs/protocol/author";
import type { Bucket } from "./bucket.js";
import { bareEtag } from "./etag.js";
import { isConditionFailed, mayHaveHappened, refuseAborted } from "./failures.js";
import type { ObjectWriter } from "./object-writer.js";
import { TOMBSTONE, TOMBSTONE_PROPERTIES } from "./tombstone.js";
import type { Trust } from "./trust.js";

/** Lost rounds after which a removal gives up. */
const ROUNDS = 20;

/** Removes single objects. */
export class ObjectRemover {
  readonly #bucket: Bucket;
  readonly #trust: Trust;
  readonly #writer: ObjectWriter;

  constructor(bucket: Bucket, trust: Trust, writer: ObjectWriter) {
    this.#bucket = bucket;
    this.#trust = trust;
    this.#writer = writer;
  }

  /**
   * Removes whatever stands at a key. Returns whether anything did: a deletion alone does not tell, so the version that
   * stands there is removed, and of several clients that do so one succeeds.
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

  /** Removes exactly this version. Throws `conflict`, also where nothing stands. */
  async removeVersion(
    Key: string,
    version: string,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const capabilities = await this.#trust.capabilities();
    refuseAborted(signal);
    if (capabilities?.conditionalDelete === true) return this.#removeIfMatch(Key, version);
    if (capabilities === undefined) {
      const standing = await this.#writer.head(Key, signal);
      if (bareEtag(standing?.ETag) !== version) throw new VolumeError("conflict");
    } else {
      await this.#writer.putWhole({ Key, ...TOMBSTONE_PROPERTIES }, TOMBSTONE, {
        IfMatch: version,
      });
    }
    await this.#bucket.deleteObject({ Key });
  }

  async #removeIfMatch(Key: string, version: string): Promise<void> {
    try {
      await this.#bucket.deleteObject({ Key, IfMatch: version });
    } catch (error) {
      // Perhaps gone by an earlier attempt of this very request.
      if (mayHaveHappened(error) && (await this.#writer.head(Key)) === undefined) return;
      if (isConditionFailed(error, "version")) throw new VolumeError("conflict");
      throw error;
    }
  }
}
