import { utf8Length } from "../host/utf8-length.js";
import type { EditOperation } from "../types/options.js";

/**
 * The most bytes that edits can add to a file of a size, without a look at its text. Line ends count for the most: an edit may
 * match `\r\n` by `\n`, and keeps the line ends of the file.
 */
export function mostGrowth(edits: readonly EditOperation[], size: number): number {
  let largest = size;
  for (const { old, new: replacement, replaceAll } of edits) {
    const shortest = utf8Length(old) - occurrences(old, "\r\n");
    const longest = utf8Length(replacement) + occurrences(replacement, "\n");
    const times = replaceAll === true ? Math.ceil(largest / Math.max(shortest, 1)) : 1;
    largest += Math.max(times, 1) * Math.max(longest - shortest, 0);
  }
  return largest - size;
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}
