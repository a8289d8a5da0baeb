import { guardListener } from "@fs/protocol/author";
import { Bucket } from "./bucket.js";
import { ContentSearch } from "./content-search.js";
import { KeySpace } from "./keys.js";
import { ObjectRemover } from "./object-remover.js";
import { ObjectWriter } from "./object-writer.js";
import {
  checkOptions,
  volumeSettings,
  type S3BackendOptions,
  type S3VolumeSettings,
} from "./options.js";
import { Trust } from "./trust.js";

/** The parts that a bucket of files is made of. */
export interface S3Storage {
  readonly bucket: Bucket;
  readonly keys: KeySpace;
  readonly settings: S3VolumeSettings;
  readonly writer: ObjectWriter;
  readonly remover: ObjectRemover;
  readonly search: ContentSearch;
}

/** Connects to nothing. Throws a TypeError for options that make no sense. */
export function s3Storage(options: S3BackendOptions): S3Storage {
  checkOptions(options);
  const settings = volumeSettings(options);
  const { bucket: name, prefix, namespace, client, connection = {} } = options;
  const bucket = new Bucket(name, client, connection, settings.callTimeoutMs);
  const keys = new KeySpace(prefix, namespace);
  const trust = new Trust(bucket, keys, settings.consistency);
  const writer = new ObjectWriter(bucket, trust, settings);
  const remover = new ObjectRemover(bucket, trust, writer, (error, key) =>
    guardListener(() => options.onError?.(error, { operation: "delete", path: keys.pathOf(key) })),
  );
  const search = new ContentSearch(bucket, keys, settings);
  return { bucket, keys, settings, writer, remover, search };
}
