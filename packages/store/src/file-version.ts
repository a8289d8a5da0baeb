import { storedModifiedAt, storedVersionOf, type StoredFile } from "@fs/protocol/records";

interface Known {
  readonly content: string;
  readonly modifiedAt: string;
  readonly version: string;
}

const versions = new WeakMap<StoredFile, Known>();

/**
 * The version of a file, computed once for a value that a store hands out again and again, as `InMemoryStore` does. Another
 * user of the store may change that value in place, so what the version is made of is compared each time.
 */
export function versionOf(file: StoredFile): string {
  const { content } = file;
  if (typeof content !== "string") return storedVersionOf(file);
  const modifiedAt = storedModifiedAt(file);
  const known = versions.get(file);
  if (known?.content === content && known.modifiedAt === modifiedAt) return known.version;
  const version = storedVersionOf(file);
  versions.set(file, { content, modifiedAt, version });
  return version;
}
