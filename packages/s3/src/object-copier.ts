import { VolumeError } from "@fs/protocol/author";
import type { Bucket } from "./bucket.js";
import { copySourceOf } from "./copy-source.js";
import { bareEtag } from "./etag.js";
import { isConditionFailed, isMissingKey, mayHaveHappened } from "./failures.js";
import type { ObjectWriter } from "./object-writer.js";
import type { Trust } from "./trust.js";

/** Copies objects within the server: none of their bytes travel. */
export class ObjectCopier {
  readonly #bucket: Bucket;
  readonly #trust: Trust;
  readonly #writer: ObjectWriter;

  constructor(bucket: Bucket, trust: Trust, writer: ObjectWriter) {
    this.#bucket = bucket;
    this.#trust = trust;
    this.#writer = writer;
  }

  /**
   * Copies an object with its metadata. Returns the version of the copy, or `undefined` when it is not to replace anything
   * and the server would not refuse to: then the bytes have to travel through a conditional write.
   */
  async copy(from: string, to: string, overwrite: boolean): Promise<string | undefined> {
    const conditional = !overwrite;
    if (conditional) {
      const capabilities = await this.#trust.capabilities();
      if (capabilities?.conditionalCopy === false) return undefined;
      if (capabilities === undefined && (await this.#writer.head(to)) !== undefined)
        throw new VolumeError("already_exists");
    }
    const CopySource = copySourceOf(this.#bucket.name, from);
    try {
      const condition = conditional ? { IfNoneMatch: "*" } : {};
      const { CopyObjectResult } = await this.#bucket.copyObject({
        Key: to,
        CopySource,
        ...condition,
      });
      return bareEtag(CopyObjectResult?.ETag) ?? "";
    } catch (error) {
      if (isMissingKey(error)) throw new VolumeError("not_found", undefined, { cause: error });
      if (!conditional || !isConditionFailed(error, "absent")) throw error;
      const copied = mayHaveHappened(error) ? await this.#copiedBefore(from, to) : undefined;
      if (copied === undefined) throw new VolumeError("already_exists");
      return copied;
    }
  }

  /** What stands at the destination, if it is what an earlier attempt of the same request would have put there. */
  async #copiedBefore(from: string, to: string): Promise<string | undefined> {
    const [source, copy] = await Promise.all([this.#writer.head(from), this.#writer.head(to)]);
    const same = source?.ETag !== undefined && source.ETag === copy?.ETag;
    return same ? bareEtag(copy?.ETag) : undefined;
  }
}
