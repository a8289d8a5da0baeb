import type { ContentPart } from "../definition.js";

type Signature = readonly [type: string, at: number, bytes: string];

// What the bytes of each accepted type begin with, in Latin-1. A block whose bytes are not what its type says would be
// refused by the provider, and with it every later turn of the thread.
const SIGNATURES: readonly Signature[] = [
  ["image/png", 0, "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/gif", 0, "GIF8"],
  ["image/webp", 8, "WEBP"],
  ["application/pdf", 0, "%PDF-"],
  ["audio/wav", 8, "WAVE"],
  ["audio/aiff", 8, "AIFF"],
  ["audio/mpeg", 0, "ID3"],
  ["audio/mpeg", 0, "\xff\xfb"],
  ["audio/mpeg", 0, "\xff\xf3"],
  ["audio/mpeg", 0, "\xff\xf2"],
  ["audio/aac", 0, "\xff\xf1"],
  ["audio/aac", 0, "\xff\xf9"],
  ["audio/ogg", 0, "OggS"],
  ["audio/flac", 0, "fLaC"],
  ["video/quicktime", 4, "ftypqt"],
  ["audio/mp4", 4, "ftypM4A"],
  ["audio/mp4", 4, "ftypM4B"],
  // The same container holds HEIC and AVIF, which are no films: only the brands of films count.
  ...["isom", "iso2", "iso3", "iso4", "iso5", "iso6", "mp41", "mp42", "avc1", "dash", "mmp4"].map(
    (brand): Signature => ["video/mp4", 4, `ftyp${brand}`],
  ),
  ["video/mp4", 4, "ftypM4V"],
  ["video/mp4", 4, "ftypMSNV"],
  ["video/webm", 0, "\x1aE\xdf\xa3"],
  ["video/x-msvideo", 8, "AVI "],
  ["video/x-flv", 0, "FLV"],
  ["video/mpeg", 0, "\x00\x00\x01\xba"],
  ["video/mpeg", 0, "\x00\x00\x01\xb3"],
  ["video/x-ms-wmv", 0, "0&\xb2u"],
];

/** The media type that a file's first bytes prove, among those that models take; otherwise `undefined`. */
export function provenMediaType(bytes: Uint8Array): string | undefined {
  const head = String.fromCharCode(...bytes.subarray(0, 16));
  return SIGNATURES.find(([, at, signature]) => head.startsWith(signature, at))?.[0];
}

/** The part of an answer that holds bytes of a proven type. */
export function mediaPart(bytes: Uint8Array, mimeType: string, filename: string): ContentPart {
  const [kind] = mimeType.split("/");
  const type = kind === "image" || kind === "audio" || kind === "video" ? kind : "file";
  return { type, bytes, mimeType, filename };
}
