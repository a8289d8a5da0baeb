import { isAscii } from "node:buffer";
import { NEWLINE, type LineHit } from "@fs/protocol/hooks";

const CARRIAGE_RETURN = 0x0d;

/**
 * The lines of a text in UTF-8 that hold a literal, found by its bytes: only matching lines are decoded, each as a string of
 * its own.
 *
 * @param needle The literal's bytes: at least one, and none of a line's end.
 */
export function literalHits(bytes: Buffer, needle: Buffer, limit: number): LineHit[] {
  const hits: LineHit[] = [];
  // Decoding by bytes alone is faster, and most files allow it.
  const encoding = isAscii(bytes) ? "latin1" : "utf8";
  let line = 1;
  let start = 0;
  for (let found = bytes.indexOf(needle); found !== -1; found = bytes.indexOf(needle, start)) {
    let end = bytes.indexOf(NEWLINE, start);
    for (; end !== -1 && end < found; end = bytes.indexOf(NEWLINE, start)) {
      line++;
      start = end + 1;
    }
    const stop = end === -1 ? bytes.length : end;
    const closed = bytes[stop - 1] === CARRIAGE_RETURN ? stop - 1 : stop;
    hits.push({ line, text: bytes.toString(encoding, start, closed) });
    if (end === -1 || hits.length >= limit) break;
    line++;
    start = end + 1;
  }
  return hits;
}
