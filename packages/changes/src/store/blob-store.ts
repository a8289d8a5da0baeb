import type { AnyBackendProtocol } from "@fs/protocol";
import { basenameOf, VolumeError } from "@fs/protocol/author";
import { hashOf, isHash } from "../hash.js";
import { type FileAccess, fileAccess, type StoreFile } from "./file-access.js";

/** Contents by hash. Every method throws a `VolumeError` for a call that failed. */
export interface BlobStore {
  /** Keeps contents, each once. Returns their hashes, in input order. */
  put(contents: readonly Uint8Array[], signal?: AbortSignal): Promise<string[]>;
  /** The content of a hash; `undefined` where it is not kept. A content that does not fit its hash is `unavailable`. */
  get(hash: string, signal?: AbortSignal): Promise<Uint8Array | undefined>;
  /** Which of these hashes are kept. */
  has(hashes: readonly string[], signal?: AbortSignal): Promise<Set<string>>;
  /** The hashes that are kept, with the time at which each was stored, where the storage knows. */
  list(signal?: AbortSignal): Promise<Array<{ hash: string; size?: number; storedAt?: string }>>;
  /** Forgets a content. Returns whether it was there. */
  remove(hash: string, signal?: AbortSignal): Promise<boolean>;
}

/**
 * Contents in a directory of any backend, as `/blobs/ab/<sha256>`. Files are created and never replaced, and are checked
 * against their hash when they are read.
 *
 * @param directory Default `"/blobs"`.
 */
export function blobStore(backend: AnyBackendProtocol, directory = "/blobs"): BlobStore {
  const files = fileAccess(backend);
  return {
    put: async (contents, signal) => {
      const uploads = new Map(contents.map((bytes) => [hashOf(bytes), bytes]));
      const stored = await files.putMany(
        [...uploads].map(([hash, bytes]) => blobFile(directory, hash, bytes)),
        signal,
      );
      for (const [index, [hash, bytes]] of [...uploads].entries())
        await settleBlob(files, directory, hash, bytes, stored[index], signal);
      return contents.map(hashOf);
    },
    get: async (hash, signal) => {
      const path = blobPath(directory, hash);
      const file = await files.get(path, signal);
      if (file !== undefined && hashOf(file.bytes) !== hash)
        throw new VolumeError("unavailable", DAMAGED, { path });
      return file?.bytes;
    },
    has: async (hashes, signal) => {
      const looked = await Promise.all(
        hashes.map((hash) => files.look(blobPath(directory, hash), signal)),
      );
      return new Set(hashes.filter((_, index) => looked[index] !== undefined));
    },
    list: async (signal) => {
      const kept = await files.files(directory, "**/*", signal);
      return kept.flatMap(({ path, size, modified_at }) => {
        const hash = `sha256:${basenameOf(path)}`;
        if (!isHash(hash)) return [];
        return {
          hash,
          ...(size === undefined ? {} : { size }),
          ...(modified_at === undefined ? {} : { storedAt: modified_at }),
        };
      });
    },
    remove: (hash, signal) => files.remove(blobPath(directory, hash), undefined, signal),
  };
}

const DAMAGED = "A stored content does not fit its hash, so it is not used.";

/** A content as a file to upload, to be stored in one call with others. See {@link settleBlob}. */
export function blobFile(directory: string, hash: string, bytes: Uint8Array): StoreFile {
  return [blobPath(directory, hash), bytes, { ifAbsent: true }];
}

/**
 * Makes sure of a content that was uploaded: one that was there already is checked, and replaced where it is damaged, so
 * that a content that was acknowledged can be read. Throws when it was not stored.
 */
export async function settleBlob(
  files: FileAccess,
  directory: string,
  hash: string,
  bytes: Uint8Array,
  stored: unknown,
  signal?: AbortSignal,
): Promise<void> {
  if (!(stored instanceof VolumeError)) return;
  if (stored.code !== "already_exists") throw stored;
  const path = blobPath(directory, hash);
  const kept = await files.get(path, signal);
  if (kept !== undefined && hashOf(kept.bytes) === hash) return;
  await files.put(path, bytes, {}, signal);
}

/** Where a content is kept. Throws a `TypeError` for what is no hash. */
function blobPath(directory: string, hash: string): string {
  if (!isHash(hash))
    throw new TypeError("A content is named by its hash, 'sha256:' and 64 digits.");
  const name = hash.slice("sha256:".length);
  return `${directory === "/" ? "" : directory}/${name.slice(0, 2)}/${name}`;
}
