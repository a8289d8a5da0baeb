const CHUNK = 0x8000;

/** The base64 form of bytes, padded. */
export function base64Of(bytes: Uint8Array): string {
  if (typeof Buffer !== "undefined") return viewed(bytes).toString("base64");
  let binary = "";
  for (let at = 0; at < bytes.length; at += CHUNK)
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  return btoa(binary);
}

/** The bytes of a base64 text. In both alphabets, with or without padding; what is neither is left out. */
export function bytesOfBase64(text: string): Uint8Array {
  if (typeof Buffer !== "undefined") {
    const { buffer, byteOffset, byteLength } = Buffer.from(text, "base64");
    return new Uint8Array(buffer, byteOffset, byteLength);
  }
  // As Node reads it: whatever follows padding is no content.
  const [content = ""] = text.split("=");
  const known = content
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replaceAll(/[^A-Za-z0-9+/]/g, "");
  // A single character holds six bits, which are no byte.
  const whole = known.length % 4 === 1 ? known.slice(0, -1) : known;
  return Uint8Array.from(atob(whole), (character) => character.charCodeAt(0));
}

/** The number of bytes that a base64 text encodes, counted without making them where that can be helped. */
export function base64Length(text: string): number {
  return typeof Buffer === "undefined"
    ? bytesOfBase64(text).length
    : Buffer.byteLength(text, "base64");
}

function viewed({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
