import { encodeText } from "../text/classify.js";
import { textTypeOf } from "../text/mime.js";
import type { FileData, FileDataV1, FileDataV2 } from "../types/results.js";

/** Tells the older form of file data, whose content is an array of lines. */
export function isFileDataV1(data: FileData): data is FileDataV1 {
  return Array.isArray(data.content);
}

/** File data in the current form; the lines of the older one are joined by `\n`. */
export function toFileDataV2(data: FileData, path: string): FileDataV2 {
  if (!isFileDataV1(data)) return data;
  const { content, created_at, modified_at } = data;
  return { content: content.join("\n"), mimeType: textTypeOf(path), created_at, modified_at };
}

/** File data in the older form, or `undefined` for bytes that it cannot hold. */
export function toFileDataV1(data: FileDataV2): FileDataV1 | undefined {
  const { content, created_at, modified_at } = data;
  if (typeof content !== "string") return undefined;
  return { content: content.split("\n"), created_at, modified_at };
}

/** The stored bytes of file data of either form. */
export function bytesOfFileData(data: FileData): Uint8Array {
  if (isFileDataV1(data)) return encodeText(data.content.join("\n"));
  return typeof data.content === "string" ? encodeText(data.content) : data.content;
}
