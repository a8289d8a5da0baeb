/** The longest line of a search result that is shown whole, in characters. */
const MAX_LINE = 500;
/** Characters shown before a match that stands far into a line. */
const LEAD = 100;

/**
 * A line of a search result; of a very long one the part around the match is shown, with the place it begins at, from which
 * `read_file` goes on with `column`.
 *
 * @param at Where the match begins; 0 for a line around a match.
 */
export function clipLine(line: string, at = 0): string {
  if (line.length <= MAX_LINE) return line;
  const from = at < MAX_LINE ? 0 : Math.min(at - LEAD, line.length - MAX_LINE);
  const kept = line.slice(from, from + MAX_LINE).toWellFormed();
  const end = from + MAX_LINE < line.length ? "…" : "";
  const where = from === 0 ? "" : `, shown from column ${from}`;
  return `${from === 0 ? "" : "…"}${kept}${end} [line of ${line.length} characters clipped${where}]`;
}

/** Where a literal pattern first occurs in a line; 0 where that cannot be said. */
export function placeOf(pattern: string, line: string, ignoreCase: boolean): number {
  if (line.length <= MAX_LINE) return 0;
  const at = ignoreCase ? line.toLowerCase().indexOf(pattern.toLowerCase()) : line.indexOf(pattern);
  return Math.max(at, 0);
}
