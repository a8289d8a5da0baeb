import { classify } from "@fs/protocol/hooks";
import {
  type StoredFile as PlainStoredFile,
  storedCreatedAt,
  storedSizeOf,
  timeAfter,
} from "@fs/protocol/records";

export {
  type FileFormat,
  storedCreatedAt as createdAt,
  storedFileOf,
  storedFileWith as withText,
  storedModifiedAt as modifiedAt,
  storedTextOf as textOf,
  timeAfter,
} from "@fs/protocol/records";

/** A file as it lies in the state: with its content, or with what finds it elsewhere. */
export interface StoredFile extends PlainStoredFile {
  /** Finds the content where it is kept outside the state. */
  readonly reference?: string;
  /** Bytes of a content kept outside the state. */
  readonly size?: number;
}

/** The `files` field of a graph's state: absolute paths and what lies there. */
export type FilesRecord = Record<string, StoredFile>;

/** Bytes of a file's content, counted without making them where that can be helped. */
export function sizeOf(path: string, file: StoredFile): number {
  return file.reference === undefined ? storedSizeOf(path, file) : (file.size ?? 0);
}

/** What is stored for a file whose content is kept outside the state. */
export function referringFile(
  path: string,
  bytes: Uint8Array,
  previous: StoredFile | undefined,
  reference: string,
): StoredFile {
  const modified_at = timeAfter(previous);
  const created_at = previous === undefined ? modified_at : storedCreatedAt(previous);
  const { mimeType } = classify(path, bytes);
  return { reference, size: bytes.length, mimeType, created_at, modified_at };
}

/** Tells what may stand in the `files` field: an object with some content, or a reference to it. */
export function isStoredFile(value: unknown): value is StoredFile {
  return (
    typeof value === "object" && value !== null && ("content" in value || "reference" in value)
  );
}
