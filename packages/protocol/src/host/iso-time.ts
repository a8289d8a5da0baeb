let written = { milliseconds: 0, text: new Date(0).toISOString() };

/**
 * ISO 8601, UTC, of milliseconds since 1970. Made once for all that shares a millisecond, as the files of a batch do. Throws a
 * RangeError for no number.
 */
export function isoTimeOf(milliseconds: number): string {
  if (written.milliseconds !== milliseconds)
    written = { milliseconds, text: new Date(milliseconds).toISOString() };
  return written.text;
}
