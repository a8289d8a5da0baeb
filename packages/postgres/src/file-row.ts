import { isoTimeOf } from "@fs/protocol/records";
import {
  binaryTypeOf,
  isMediaPath,
  isTextBytes,
  mediaTypeOf,
  textTypeOf,
} from "@fs/protocol/hooks";
import { decodeText, encodeText, type VolumeFile } from "@fs/protocol/author";
import type { Row } from "./database.js";
import type { FilesTable } from "./files-table.js";

/** How a file's bytes are kept: as text that can be searched, or as bytes. The other one is null. */
export interface StoredContent {
  readonly content: string | null;
  readonly bytes: Uint8Array | null;
  readonly mimeType: string;
}

/** Text goes where it can be searched; what is binary by its extension or its bytes does not. */
export function storedContent(path: string, bytes: Uint8Array): StoredContent {
  if (!isMediaPath(path) && isTextBytes(bytes)) {
    return { content: decodeText(bytes), bytes: null, mimeType: textTypeOf(path) };
  }
  return { content: null, bytes, mimeType: binaryTypeOf(path) };
}

/** The MIME types a path's content would have as text and as bytes. */
export function mimeTypes(path: string): { text: string; binary: string } {
  return { text: mediaTypeOf(path) ?? textTypeOf(path), binary: binaryTypeOf(path) };
}

/** Milliseconds since 1970, as text: free of the time zone and of the type parsers of any client. */
export function millisecondsOf(column: string): string {
  return `floor(date_part('epoch', ${column}) * 1000)::bigint::text`;
}

/** The columns {@link fileOf} reads. Bytes travel in base64, a third larger; the driver's own form doubles them. */
export function fileColumns({ text }: FilesTable): string {
  return `${text("content")} as content, encode(bytes, 'base64') as bytes, version::text as version,
    ${millisecondsOf("created_at")} as created, ${millisecondsOf("modified_at")} as modified`;
}

/** A whole file from a row with {@link fileColumns}. */
export function fileOf(row: Row): VolumeFile {
  const { content, bytes, version, created, modified } = row;
  return {
    bytes: typeof content === "string" ? encodeText(content) : fromBase64(bytes ?? ""),
    version: version ?? "",
    createdAt: isoTime(created),
    modifiedAt: isoTime(modified),
  };
}

function fromBase64(text: string): Uint8Array {
  const { buffer, byteOffset, length } = Buffer.from(text, "base64");
  return new Uint8Array(buffer, byteOffset, length);
}

/** ISO 8601 from {@link millisecondsOf}. */
export function isoTime(milliseconds: string | null | undefined): string {
  return isoTimeOf(Number(milliseconds));
}

/** A version as a parameter, `null` for none. What is no number is no version here; the server would refuse a NUL in it. */
export function versionParameter(version: string | undefined): string | null {
  if (version === undefined) return null;
  return /^\d+$/.test(version) ? version : "";
}
