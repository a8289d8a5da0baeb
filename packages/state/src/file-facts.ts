import { storedVersionOf } from "@fs/protocol/records";
import type { VolumeEntry } from "@fs/protocol/author";
import { modifiedAt, sizeOf, type StoredFile } from "./file-data.js";

/** What a listing says of a file. Its size is counted once. */
export function entryOf(path: string, file: StoredFile): VolumeEntry {
  return { path, kind: "file", size: knownSize(path, file), modifiedAt: modifiedAt(file) };
}

const sizes = new WeakMap<StoredFile, number>();

function knownSize(path: string, file: StoredFile): number {
  let size = sizes.get(file);
  if (size === undefined) {
    size = sizeOf(path, file);
    sizes.set(file, size);
  }
  return size;
}

const versions = new WeakMap<StoredFile, string>();

/** The version of a file, computed once. */
export function versionOf(file: StoredFile): string {
  let version = versions.get(file);
  if (version === undefined) {
    version = storedVersionOf(file, file.reference ?? file.content);
    versions.set(file, version);
  }
  return version;
}
