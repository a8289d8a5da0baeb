import type { VolumeEntry } from "@fs/protocol/volume";
import { createHash } from "node:crypto";
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

/** Every change carries a later time; the content is in it too, for files that others write. */
export function versionOf(file: StoredFile): string {
  let version = versions.get(file);
  if (version === undefined) {
    const hash = createHash("sha1").update(modifiedAt(file));
    const content = file.reference ?? file.content;
    hash.update(typeof content === "string" ? content : JSON.stringify(content));
    version = hash.digest("base64url");
    versions.set(file, version);
  }
  return version;
}
