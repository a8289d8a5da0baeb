import type { GetObjectCommandOutput } from "@aws-sdk/client-s3";
import {
  VolumeError,
  type GrepQuery,
  type GrepStream,
  type ListQuery,
  type PutCondition,
  type RemoveCondition,
  type Volume,
  type VolumeCall,
  type VolumeEntry,
  type VolumeFile,
  type VolumePage,
} from "@fs/protocol/author";
import { bodyOfStream } from "./body-stream.js";
import type { Bucket } from "./bucket.js";
import { ContentSearch } from "./content-search.js";
import { bareEtag } from "./etag.js";
import { isMissingKey, refuseAborted, translated } from "./failures.js";
import type { KeySpace } from "./keys.js";
import { directoriesOf, filesOf, pagesOf, prefixOfQuery } from "./listing.js";
import { ObjectCopier } from "./object-copier.js";
import { createdAtOf, modifiedAtOf, newProperties, propertiesOf } from "./object-properties.js";
import { fetchObject, type FetchedObject } from "./object-reader.js";
import { ObjectRemover } from "./object-remover.js";
import { ObjectWriter } from "./object-writer.js";
import type { S3VolumeSettings } from "./options.js";
import { readLines } from "./page-reader.js";
import { signedAddress, type PresignOptions } from "./presign.js";
import { removeObjectsBelow } from "./remove-tree.js";
import { onceRemoved } from "./tombstone.js";
import { Trust } from "./trust.js";

type Overwrite = { overwrite: boolean } & VolumeCall;

/** Files as objects of a bucket: one object each, its ETag as version, its key the prefix and the path. */
export class S3Volume implements Volume {
  readonly directories = "implicit";
  // A bucket can hold `a` and `a/b` at once, and no condition speaks of two keys.
  readonly collisions = "allowed";
  readonly #bucket: Bucket;
  readonly #keys: KeySpace;
  readonly #settings: S3VolumeSettings;
  readonly #writer: ObjectWriter;
  readonly #remover: ObjectRemover;
  readonly #copier: ObjectCopier;
  readonly #search: ContentSearch;

  constructor(bucket: Bucket, keys: KeySpace, settings: S3VolumeSettings) {
    const trust = new Trust(bucket, keys, settings.consistency);
    this.#bucket = bucket;
    this.#keys = keys;
    this.#settings = settings;
    this.#writer = new ObjectWriter(bucket, trust, settings.multipartBytes);
    this.#remover = new ObjectRemover(bucket, trust, this.#writer);
    this.#copier = new ObjectCopier(bucket, trust, this.#writer);
    this.#search = new ContentSearch(bucket, keys, settings);
  }

  async get(path: string, call: VolumeCall): Promise<VolumeFile | undefined> {
    const Key = this.#keys.keyOf(path);
    return translated(path, async () => {
      let bytes: Uint8Array = new Uint8Array();
      const output = await onceRemoved(async () => {
        const fetched = await this.#fetch(Key, call);
        if (fetched !== undefined) ({ bytes } = fetched);
        return fetched?.output;
      }, call.signal);
      if (output === undefined) return undefined;
      const version = this.#remember(Key, output);
      return { bytes, version, modifiedAt: modifiedAtOf(output), createdAt: createdAtOf(output) };
    });
  }

  async put(
    path: string,
    bytes: Uint8Array,
    condition: PutCondition,
  ): Promise<{ version?: string | undefined }> {
    const key = this.#keys.keyOf(path);
    return translated(path, async () => ({
      version: await this.#writer.put(path, key, bytes, condition),
    }));
  }

  async remove(path: string, { ifVersion, signal }: RemoveCondition): Promise<boolean> {
    const key = this.#keys.keyOf(path);
    return translated(path, async () => {
      if (ifVersion === undefined) return this.#remover.remove(key, signal);
      await this.#remover.removeVersion(key, ifVersion, signal);
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
      for (const { version: _, ...entry } of filesOf(step.value, this.#keys)) yield entry;
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
      return (await this.#isPrefix(path, call)) ? { path, kind: "directory" } : undefined;
    });
  }

  async readPage(
    path: string,
    page: { readonly offset: number; readonly limit: number } & VolumeCall,
  ): Promise<VolumePage | undefined> {
    const key = this.#keys.keyOf(path);
    return translated(path, async () => {
      try {
        return await readLines(this.#bucket, key, page, this.#settings.maxReadBytes, (output) =>
          this.#remember(key, output),
        );
      } catch (error) {
        if (!isMissingKey(error)) throw error;
        // Answered here, because the generic path would ask for the object once more.
        throw new VolumeError((await this.#isPrefix(path, page)) ? "is_directory" : "not_found");
      }
    });
  }

  async grep(query: GrepQuery): Promise<GrepStream> {
    return this.#search.search(query);
  }

  async removeTree(path: string, call: VolumeCall): Promise<number> {
    return translated(path, () => removeObjectsBelow(this.#bucket, this.#keys, path, call));
  }

  async copyFile(
    from: string,
    to: string,
    { overwrite, signal }: Overwrite,
  ): Promise<true | undefined> {
    return (await this.#copy(from, to, overwrite, signal)) === undefined ? undefined : true;
  }

  async moveFile(
    from: string,
    to: string,
    { overwrite, signal }: Overwrite,
  ): Promise<true | undefined> {
    const source = this.#keys.keyOf(from);
    const version = bareEtag(
      (await translated(from, () => this.#writer.head(source, signal)))?.ETag,
    );
    if (version === undefined) throw new VolumeError("not_found", undefined, { path: from });
    const copy =
      (await this.#copy(from, to, overwrite, signal)) ?? (await this.#carry(from, to, signal));
    try {
      // Only what was copied goes: an edit in the meantime keeps the source, and the copy is taken back.
      await translated(from, () => this.#remover.removeVersion(source, version, undefined));
      return true;
    } catch (error) {
      if (!overwrite) await this.remove(to, { ifVersion: copy });
      if (!VolumeError.isInstance(error)) throw error;
      throw new VolumeError(error.code, error.detail, { path: from, cause: error.cause });
    }
  }

  /** Stores what a stream yields, replacing. Throws `too_large` and `aborted`, and then stores nothing. */
  async putStream(
    path: string,
    source: AsyncIterable<Uint8Array>,
    maxBytes: number,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const Key = this.#keys.keyOf(path);
    await translated(path, async () => {
      refuseAborted(signal);
      const properties = newProperties(path, undefined);
      await this.#writer.putParts({ Key, ...properties }, bodyOfStream(source, maxBytes, signal));
    });
  }

  /** A signed address to read a file by. */
  async presign(
    path: string,
    options: PresignOptions,
  ): Promise<{ url: string; expiresAt: string }> {
    const key = this.#keys.keyOf(path);
    return translated(path, () => signedAddress(this.#bucket, key, options));
  }

  async close(): Promise<void> {
    this.#bucket.close();
  }

  async #fetch(Key: string, call: VolumeCall): Promise<FetchedObject | undefined> {
    try {
      return await fetchObject(this.#bucket, { Key }, this.#settings.maxReadBytes, call);
    } catch (error) {
      if (isMissingKey(error)) return undefined;
      throw error;
    }
  }

  async #copy(
    from: string,
    to: string,
    overwrite: boolean,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    refuseAborted(signal);
    const [source, target] = [this.#keys.keyOf(from), this.#keys.keyOf(to)];
    return translated(to, () => this.#copier.copy(source, target, overwrite));
  }

  /** Copies a file to where nothing stands by way of this process. Returns the version of the copy. */
  async #carry(from: string, to: string, signal: AbortSignal | undefined): Promise<string> {
    const Key = this.#keys.keyOf(from);
    const { maxReadBytes } = this.#settings;
    const { bytes, output } = await translated(from, () =>
      fetchObject(this.#bucket, { Key }, maxReadBytes, { signal }),
    );
    const target = { Key: this.#keys.keyOf(to), ...propertiesOf(output) };
    const version = await translated(to, () =>
      this.#writer.putWhole(target, bytes, { IfNoneMatch: "*" }),
    );
    return version ?? "";
  }

  /** Keeps what an edit of this version would carry over. Returns the version. */
  #remember(key: string, output: GetObjectCommandOutput): string {
    const version = bareEtag(output.ETag) ?? "";
    this.#writer.remember(key, version, propertiesOf(output));
    return version;
  }

  /** Tells whether anything lies below, be it only a folder marker. */
  async #isPrefix(path: string, { signal }: VolumeCall): Promise<boolean> {
    const query = { Prefix: this.#keys.below(path), MaxKeys: 1 };
    return ((await this.#bucket.listObjects(query, { signal })).Contents?.length ?? 0) > 0;
  }
}
