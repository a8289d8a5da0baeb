import type { GetObjectCommandOutput, HeadObjectCommandOutput } from "@aws-sdk/client-s3";
import {
  listingOf,
  VolumeError,
  type Volume,
  type VolumeCall,
  type VolumePage,
} from "@fs/protocol/author";
import { bareEtag } from "./etag.js";
import { isMissingKey, translated } from "./failures.js";
import { pagesBelow } from "./deep-listing.js";
import { directoriesOf, filesOf, pagesOf, prefixOfQuery } from "./listing.js";
import { createdAtOf, modifiedAtOf, propertiesOf } from "./object-properties.js";
import { fetchObject, type FetchedObject } from "./object-reader.js";
import type { S3BackendOptions } from "./options.js";
import { readLines } from "./page-reader.js";
import { removeObjectsBelow } from "./remove-tree.js";
import { s3Storage, type S3Storage } from "./s3-storage.js";
import { isTombstone } from "./tombstone.js";
import { writeIdOf } from "./write-log.js";

/**
 * Files as objects of a bucket: one object each, its ETag as version, its key the prefix and the path.
 *
 * Throws a TypeError for options that make no sense.
 */
export function s3Volume(options: S3BackendOptions): Volume {
  return volumeOf(s3Storage(options));
}

/** The volume over parts that are there already. */
export function volumeOf({ bucket, keys, settings, writer, remover, search }: S3Storage): Volume {
  /** Keeps what an edit of this version would carry over. Returns the version. */
  const remember = (
    key: string,
    output: GetObjectCommandOutput | HeadObjectCommandOutput,
  ): string => {
    const version = bareEtag(output.ETag) ?? "";
    writer.remember(key, version, propertiesOf(output));
    return version;
  };
  const fetch = async (Key: string, call: VolumeCall): Promise<FetchedObject | undefined> => {
    try {
      return await fetchObject(bucket, { Key }, settings.maxReadBytes, call);
    } catch (error) {
      if (isMissingKey(error)) return undefined;
      throw error;
    }
  };
  /** Returns whether anything lies below, be it only a folder marker. */
  const isPrefix = async (path: string, call: VolumeCall): Promise<boolean> => {
    const query = { Prefix: keys.below(path), MaxKeys: 1 };
    return ((await bucket.listObjects(query, call)).Contents?.length ?? 0) > 0;
  };

  return {
    directories: "implicit",
    // A bucket can hold `a` and `a/b` at once, and no condition speaks of two keys.
    collisions: "allowed",
    callTimeoutMs: settings.callTimeoutMs,

    async get(path, call) {
      const key = keys.keyOf(path);
      return translated(path, async () => {
        const fetched = await fetch(key, call);
        if (fetched === undefined || isTombstone(fetched.output)) return undefined;
        const { bytes, output } = fetched;
        const version = remember(key, output);
        const times = { modifiedAt: modifiedAtOf(output), createdAt: createdAtOf(output) };
        return { bytes, version, ...times, writeId: writeIdOf(output) };
      });
    },

    async put(path, bytes, condition) {
      const key = keys.keyOf(path);
      return translated(path, async () => {
        const { version, writeId } = await writer.put(path, key, bytes, condition);
        return { version, writeId };
      });
    },

    async remove(path, { ifVersion, signal }) {
      const key = keys.keyOf(path);
      return translated(path, async () => {
        if (ifVersion === undefined) return remover.remove(key, signal);
        await remover.removeVersion(key, ifVersion, signal);
        return true;
      });
    },

    list: (directory, { deep, glob, signal }) =>
      listingOf(async function* () {
        const Prefix = prefixOfQuery(keys, directory, glob?.prefix);
        const isRemoved = async (key: string): Promise<boolean> =>
          (await writer.head(key, signal)) === undefined;
        const pages = deep
          ? pagesBelow(bucket, { Prefix, width: settings.concurrency }, { signal })
          : pagesOf(bucket, { Prefix, Delimiter: "/" }, { signal });
        try {
          for (;;) {
            const step = await translated(directory, () => pages.next());
            if (step.done === true) return;
            if (!deep) yield directoriesOf(step.value, keys);
            yield await translated(directory, () => filesOf(step.value, keys, isRemoved));
          }
        } finally {
          await pages.return(undefined);
        }
      }),

    async stat(path, call) {
      if (path === "/") return { path, kind: "directory" };
      const key = keys.keyOf(path);
      return translated(path, async () => {
        const head = await writer.head(key, call.signal);
        if (head === undefined)
          return (await isPrefix(path, call)) ? { path, kind: "directory" } : undefined;
        const size = head.ContentLength ?? 0;
        const version = remember(key, head);
        const modifiedAt = modifiedAtOf(head);
        const facts = { createdAt: createdAtOf(head), version, writeId: writeIdOf(head) };
        return { path, kind: "file", size, modifiedAt, ...facts };
      });
    },

    async readPage(path, page): Promise<VolumePage | undefined> {
      const key = keys.keyOf(path);
      return translated(path, async () => {
        try {
          return await readLines(bucket, key, page, settings.maxReadBytes, (output) =>
            remember(key, output),
          );
        } catch (error) {
          if (!isMissingKey(error)) throw error;
          // Answered here, because the generic path would ask for the object once more.
          throw new VolumeError((await isPrefix(path, page)) ? "is_directory" : "not_found");
        }
      });
    },

    grep: (query) => search.search(query),

    removeTree: (path, call) =>
      translated(path, () => removeObjectsBelow(bucket, keys, path, settings.concurrency, call)),

    close: async () => bucket.close(),
  };
}
