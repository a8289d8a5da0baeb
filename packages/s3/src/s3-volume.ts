import {
  VolumeError,
  type ListQuery,
  type PutCondition,
  type RemoveCondition,
  type Volume,
  type VolumeCall,
  type VolumeEntry,
  type VolumeFile,
} from "@fs/protocol/volume";
import type { Bucket } from "./bucket.js";
import { probeCapabilities, type Capabilities } from "./capabilities.js";
import { bareEtag } from "./etag.js";
import {
  isConditionFailed,
  isMissingKey,
  mayHaveHappened,
  refuseAborted,
  translated,
} from "./failures.js";
import type { KeySpace } from "./keys.js";
import { directoriesOf, filesOf, pagesOf, prefixOfQuery } from "./listing.js";
import { createdAtOf, modifiedAtOf, propertiesOf } from "./object-properties.js";
import { fetchObject } from "./object-reader.js";
import { ObjectWriter } from "./object-writer.js";
import type { S3VolumeSettings } from "./options.js";
import { removeObjectsBelow } from "./remove-tree.js";

/** Files as objects of a bucket: one object each, its ETag as version, its key the prefix and the path. */
export class S3Volume implements Volume {
  readonly directories = "implicit";
  // A bucket can hold `a` and `a/b` at once, and no condition speaks of two keys.
  readonly collisions = "allowed";
  readonly #bucket: Bucket;
  readonly #keys: KeySpace;
  readonly #settings: S3VolumeSettings;
  readonly #writer: ObjectWriter;
  #probe: Promise<Capabilities> | undefined;

  constructor(bucket: Bucket, keys: KeySpace, settings: S3VolumeSettings) {
    this.#bucket = bucket;
    this.#keys = keys;
    this.#settings = settings;
    this.#writer = new ObjectWriter(bucket, settings.multipartBytes);
  }

  async get(path: string, call: VolumeCall): Promise<VolumeFile | undefined> {
    const Key = this.#keys.keyOf(path);
    return translated(path, async () => {
      try {
        const { bytes, output } = await fetchObject(
          this.#bucket,
          { Key },
          this.#settings.maxReadBytes,
          call,
        );
        const version = bareEtag(output.ETag) ?? "";
        this.#writer.remember(Key, version, propertiesOf(output));
        return { bytes, version, modifiedAt: modifiedAtOf(output), createdAt: createdAtOf(output) };
      } catch (error) {
        if (isMissingKey(error)) return undefined;
        throw error;
      }
    });
  }

  async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version?: string | undefined }> {
    const key = this.#keys.keyOf(path);
    return translated(path, async () => {
      refuseAborted(condition.signal);
      const conditional = condition.ifAbsent === true || condition.ifVersion !== undefined;
      const enforced = this.#settings.consistency === "compare-and-swap";
      if (conditional && enforced) await this.#trusted();
      return { version: await this.#writer.put(path, key, bytes, condition, enforced) };
    });
  }

  async remove(path: string, { ifVersion, signal }: RemoveCondition): Promise<boolean> {
    const Key = this.#keys.keyOf(path);
    return translated(path, async () => {
      refuseAborted(signal);
      const enforced = this.#settings.consistency === "compare-and-swap";
      if (ifVersion !== undefined && enforced && (await this.#trusted()).conditionalDelete)
        return this.#removeVersion(Key, ifVersion);
      // A deletion says nothing of whether there was something.
      const head = await this.#writer.head(Key, signal);
      if (ifVersion !== undefined && bareEtag(head?.ETag) !== ifVersion)
        throw new VolumeError("conflict");
      if (head === undefined) return false;
      refuseAborted(signal);
      await this.#bucket.deleteObject({ Key });
      return true;
    });
  }

  async *list(directory: string, { deep, glob, signal }: ListQuery): AsyncGenerator<VolumeEntry> {
    const Prefix = prefixOfQuery(this.#keys, directory, glob?.prefix);
    const query = deep ? { Prefix } : { Prefix, Delimiter: "/" };
    const pages = pagesOf(this.#bucket, query, { signal });
    for (;;) {
      const step = await translated(directory, () => pages.next());
      if (step.done === true) return;
      if (!deep) yield* directoriesOf(step.value, this.#keys);
      yield* filesOf(step.value, this.#keys);
    }
  }

  async stat(path: string, call: VolumeCall): Promise<VolumeEntry | undefined> {
    if (path === "/") return { path, kind: "directory" };
    const key = this.#keys.keyOf(path);
    return translated(path, async () => {
      const head = await this.#writer.head(key, call.signal);
      if (head !== undefined)
        return {
          path,
          kind: "file",
          size: head.ContentLength ?? 0,
          modifiedAt: modifiedAtOf(head),
        };
      const below = await this.#bucket.listObjects({ Prefix: `${key}/`, MaxKeys: 1 }, call);
      return (below.Contents?.length ?? 0) > 0 ? { path, kind: "directory" } : undefined;
    });
  }

  async removeTree(path: string, call: VolumeCall): Promise<number> {
    return translated(path, () => removeObjectsBelow(this.#bucket, this.#keys, path, call));
  }

  async close(): Promise<void> {
    this.#bucket.close();
  }

  async #removeVersion(Key: string, version: string): Promise<boolean> {
    try {
      await this.#bucket.deleteObject({ Key, IfMatch: version });
      return true;
    } catch (error) {
      // Perhaps gone by an earlier attempt of this very request.
      if (mayHaveHappened(error) && (await this.#writer.head(Key)) === undefined) return true;
      if (isConditionFailed(error, "version")) throw new VolumeError("conflict");
      throw error;
    }
  }

  /** What the server can do, found out once. Throws `unsupported` where it would let writers undo each other's work. */
  async #trusted(): Promise<Capabilities> {
    this.#probe ??= probeCapabilities(this.#bucket, this.#keys);
    let capabilities: Capabilities;
    try {
      capabilities = await this.#probe;
    } catch (error) {
      // Nothing was learnt, so the next write asks again.
      this.#probe = undefined;
      throw error;
    }
    if (capabilities.conditionalPut) return capabilities;
    throw new VolumeError(
      "unsupported",
      "The server of this bucket ignores conditional writes (If-None-Match, If-Match), so writers could undo each other's work. " +
        "Nothing was written. Use a server that honours them, or accept it with consistency: 'last-writer-wins'.",
    );
  }
}
