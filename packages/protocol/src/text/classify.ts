import { builtinModule } from "../host/builtin-modules.js";
import { binaryTypeOf, mediaTypeOf, textTypeOf } from "./mime.js";

/** What a file is. `text` is its decoded content, byte order mark included. */
export type Classified =
  | { kind: "text"; mimeType: string; text: string }
  | { kind: "binary"; mimeType: string };

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
const nodeBuffer = builtinModule("node:buffer");

/**
 * Decides text or binary, once for every backend: by the table of media extensions, then by content. A NUL byte or
 * invalid UTF-8 anywhere makes a file binary.
 */
export function classify(path: string, bytes: Uint8Array): Classified {
  const media = mediaTypeOf(path);
  if (media !== undefined) return { kind: "binary", mimeType: media };
  if (!isTextBytes(bytes)) return { kind: "binary", mimeType: binaryTypeOf(path) };
  return { kind: "text", mimeType: textTypeOf(path), text: decoder.decode(bytes) };
}

/** The same for a file that is kept as a text, whose bytes are asked for only where the text is not what they say. */
export function classifyFile(
  path: string,
  file: { readonly bytes: Uint8Array; readonly text?: string | undefined },
): Classified {
  const { text } = file;
  if (text === undefined || !text.isWellFormed()) return classify(path, file.bytes);
  const media = mediaTypeOf(path);
  if (media !== undefined) return { kind: "binary", mimeType: media };
  if (text.includes("\0")) return { kind: "binary", mimeType: binaryTypeOf(path) };
  return { kind: "text", mimeType: textTypeOf(path), text };
}

/** Returns whether bytes are text: valid UTF-8 without NUL. */
export function isTextBytes(bytes: Uint8Array): boolean {
  if (nodeBuffer === undefined) return !bytes.includes(0) && isDecodable(bytes);
  // Buffer's own search for a byte is many times as fast as that of a typed array.
  const { Buffer, isUtf8 } = nodeBuffer;
  return (
    !Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(0) && isUtf8(bytes)
  );
}

function isDecodable(bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Decodes bytes known to be text. Keeps a byte order mark. Throws a TypeError on invalid UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/** The text of bytes, or `undefined` where they are none. Keeps a byte order mark. */
export function textOf(bytes: Uint8Array): string | undefined {
  return isTextBytes(bytes) ? decodeText(bytes) : undefined;
}

/** The UTF-8 bytes of a string, verbatim. The string must be well formed. */
export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}
