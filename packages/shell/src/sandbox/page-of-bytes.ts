import type { VolumePage } from "@fs/protocol/author";

const NEWLINE = 10;

/** Lines of a text in UTF-8: each newline ends one, and what follows the last is one more. */
export function countByteLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++;
  return bytes.length > 0 && bytes.at(-1) !== NEWLINE ? lines + 1 : lines;
}

/** Lines `offset` to `offset + limit` of a text that is here whole. */
export function pageOfBytes(bytes: Uint8Array, offset: number, limit: number): VolumePage {
  const totalLines = countByteLines(bytes);
  const lines = Math.max(0, Math.min(limit, totalLines - offset));
  const start = skipLines(bytes, 0, offset);
  const page = bytes.subarray(start, skipLines(bytes, start, lines));
  return { bytes: page, lines, totalLines, atEnd: offset + lines >= totalLines };
}

function skipLines(bytes: Uint8Array, from: number, lines: number): number {
  let at = from;
  for (let n = 0; n < lines && at < bytes.length; n++) {
    const newline = bytes.indexOf(NEWLINE, at);
    at = newline === -1 ? bytes.length : newline + 1;
  }
  return at;
}
