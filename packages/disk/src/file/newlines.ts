/** The byte that ends a line. */
export const NEWLINE = 0x0a;

/** Counts the line ends in a stretch of bytes. */
export function countNewlines(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}
