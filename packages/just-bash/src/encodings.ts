import type { BufferEncoding } from "just-bash";

/** How just-bash names an encoding. */
export type Encoded = { readonly encoding?: BufferEncoding | null } | BufferEncoding | undefined;

/** The encoding by its name in Node: `binary` is a character for each byte. */
export function encodingOf(options: Encoded): NodeJS.BufferEncoding | undefined {
  const encoding = typeof options === "string" ? options : (options?.encoding ?? undefined);
  return encoding === "binary" ? "latin1" : encoding;
}

export function bytesOf(content: string | Uint8Array, options: Encoded): Uint8Array {
  return typeof content === "string" ? Buffer.from(content, encodingOf(options)) : content;
}
