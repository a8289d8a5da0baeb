import { withoutCarriageReturn, type LineHit, countNewlines, NEWLINE } from "@fs/protocol/hooks";

/**
 * The lines of a text in UTF-8 that hold a literal, found by its bytes: only matching lines are decoded, each as a string of
 * its own.
 *
 * @param needle The bytes of `source`, at least one.
 */
export function literalHits(
  bytes: Buffer,
  needle: Buffer,
  source: string,
  limit: number,
): LineHit[] {
  const hits: LineHit[] = [];
  let line = 1;
  let counted = 0;
  for (let at = 0; hits.length < limit;) {
    const found = bytes.indexOf(needle, at);
    if (found === -1) break;
    const start = found === 0 ? 0 : bytes.lastIndexOf(NEWLINE, found - 1) + 1;
    const next = bytes.indexOf(NEWLINE, found);
    const end = next === -1 ? bytes.length : next;
    line += countNewlines(bytes.subarray(counted, start));
    counted = start;
    const text = withoutCarriageReturn(bytes.toString("utf8", start, end));
    // The literal may reach over the line's end, or into its carriage return.
    if (text.includes(source)) hits.push({ line, text });
    at = end + 1;
  }
  return hits;
}
