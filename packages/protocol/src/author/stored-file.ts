import { base64Length, base64Of, bytesOfBase64 } from "../host/base64.js";
import { digestOf } from "../host/digest.js";
import { isoTimeOf } from "../host/iso-time.js";
import { utf8Length } from "../host/utf8-length.js";
import type { VolumeFile } from "../spi/volume.js";
import { classify, encodeText } from "../text/classify.js";
import { binaryTypeOf, textTypeOf } from "../text/mime.js";

/** The form in which files are written: a string (`"v2"`), or an array of lines (`"v1"`) for older readers. */
export type FileFormat = "v1" | "v2";

/**
 * A file as backends keep it in JSON. What is written is plain JSON: text as a string, anything else as base64 with
 * `encoding: "base64"`, so that every serialiser gives back what it was given.
 */
export interface StoredFile {
  /** Text, lines (v1), base64, or bytes as other writers and serialisers leave them. */
  readonly content?: unknown;
  /** `"base64"` when `content` is bytes in that encoding. */
  readonly encoding?: string;
  /** Absent in v1. */
  readonly mimeType?: string;
  /** ISO 8601, UTC. */
  readonly created_at?: string;
  /** ISO 8601, UTC. */
  readonly modified_at?: string;
}

/** The time of files that carry none. */
const UNKNOWN_TIME = new Date(0).toISOString();

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The text of a stored file, or `undefined` where its content is bytes. */
export function storedTextOf(path: string, file: StoredFile): string | undefined {
  const { content } = file;
  if (typeof content === "string") return isBase64(path, file, content) ? undefined : content;
  return isLines(content) ? content.join("\n") : undefined;
}

/** The bytes of a stored file, whatever wrote it; none for content that nobody knows. */
export function storedBytesOf(path: string, file: StoredFile): Uint8Array {
  const text = storedTextOf(path, file);
  return text === undefined ? rawBytes(file.content) : encodeText(text);
}

/**
 * A stored file as a volume hands it over: a text as it is, with its bytes made when they are asked for.
 *
 * @param version The file's version, as {@link storedVersionOf} or a cache of it says.
 */
export function storedVolumeFile(path: string, file: StoredFile, version: string): VolumeFile {
  const text = storedTextOf(path, file);
  const modifiedAt = storedModifiedAt(file);
  const createdAt = storedCreatedAt(file);
  if (text === undefined) return { version, modifiedAt, createdAt, bytes: rawBytes(file.content) };
  return new TextFile(text, version, modifiedAt, createdAt);
}

/** A class, because a literal with a getter was the dearest part of a read from a store in memory. */
class TextFile implements VolumeFile {
  readonly text: string;
  readonly version: string;
  readonly modifiedAt: string;
  readonly createdAt: string;

  constructor(text: string, version: string, modifiedAt: string, createdAt: string) {
    this.text = text;
    this.version = version;
    this.modifiedAt = modifiedAt;
    this.createdAt = createdAt;
  }

  get bytes(): Uint8Array {
    return encodeText(this.text);
  }
}

/** Schemas of other packages drop the mark, and then the type tells: nobody stores text under a type of bytes. */
function isBase64(path: string, { encoding, mimeType }: StoredFile, content: string): boolean {
  if (encoding !== undefined) return encoding === "base64";
  if (mimeType === undefined || mimeType.startsWith("text/")) return false;
  if (content === "" || content.length % 4 !== 0) return false;
  return mimeType === binaryTypeOf(path) && BASE64.test(content);
}

function rawBytes(content: unknown): Uint8Array {
  if (typeof content === "string") return bytesOfBase64(content);
  if (ArrayBuffer.isView(content)) return viewOf(content);
  if (typeof content !== "object" || content === null) return new Uint8Array();
  // A Buffer that went through JSON, or a typed array that did: an object with the indexes as keys.
  const listed =
    "data" in content && Array.isArray(content.data) ? content.data : Object.values(content);
  return Uint8Array.from(listed.filter((byte) => typeof byte === "number"));
}

function viewOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function isLines(content: unknown): content is string[] {
  return Array.isArray(content) && content.every((line) => typeof line === "string");
}

/** Bytes of a file's content, counted without making them where that can be helped. */
export function storedSizeOf(path: string, file: StoredFile): number {
  const text = storedTextOf(path, file);
  if (text !== undefined) return utf8Length(text);
  const { content } = file;
  return typeof content === "string" ? base64Length(content) : rawBytes(content).length;
}

/** ISO 8601 time of the last change; 1970 where the file carries none. */
export function storedModifiedAt(file: StoredFile): string {
  return file.modified_at ?? file.created_at ?? UNKNOWN_TIME;
}

/** ISO 8601 time of creation; the last change where the file carries none. */
export function storedCreatedAt(file: StoredFile): string {
  return file.created_at ?? storedModifiedAt(file);
}

/**
 * A time for a change of a file: now, or a millisecond after its last change where the clock has not moved on, so that a
 * later version always carries a later time.
 */
export function timeAfter(previous: StoredFile | undefined): string {
  const now = Date.now();
  const last = previous === undefined ? NaN : Date.parse(storedModifiedAt(previous));
  return isoTimeOf(last >= now && last < now + 60_000 ? last + 1 : now);
}

/** What is stored for a file's bytes. Text becomes a string, or lines with `"v1"`; anything else base64. */
export function storedFileOf(
  path: string,
  bytes: Uint8Array,
  previous: StoredFile | undefined,
  format: FileFormat,
): StoredFile {
  const modified_at = timeAfter(previous);
  const created_at = previous === undefined ? modified_at : storedCreatedAt(previous);
  const classified = classify(path, bytes);
  if (classified.kind === "text")
    return textFile(path, classified.text, created_at, modified_at, format);
  const content = base64Of(bytes);
  const { mimeType } = classified;
  return { content, encoding: "base64", mimeType, created_at, modified_at };
}

/** The file with another text. A v1 file is upgraded unless `format` is `"v1"`. */
export function storedFileWith(
  path: string,
  file: StoredFile,
  text: string,
  modified_at: string,
  format: FileFormat,
): StoredFile {
  return textFile(path, text, storedCreatedAt(file), modified_at, format);
}

function textFile(
  path: string,
  text: string,
  created_at: string,
  modified_at: string,
  format: FileFormat,
): StoredFile {
  if (format === "v1") return { content: text.split("\n"), created_at, modified_at };
  return { content: text, mimeType: textTypeOf(path), created_at, modified_at };
}

/** A version of a stored file: every change carries a later time, and the content is in it for files that others write. */
export function storedVersionOf(file: StoredFile, content: unknown = file.content): string {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return digestOf("sha1", "base64url", storedModifiedAt(file), text ?? "");
}
