import type { GrepQuery, VolumeHit } from "../spi/volume.js";
import { searchLines } from "../text/line-pattern.js";

/** Hits that wait for each other at most. */
const BATCH = 1000;

/**
 * The matching lines of texts that a storage holds as strings, for the `grep` hook of such a one. Stops at the limit, and
 * leaves out texts with a NUL, which are binary by rule R7.
 *
 * @param texts Well-formed contents by path, in path order; made one at a time, as they are asked for.
 */
export async function* searchTexts(
  texts: Iterable<readonly [path: string, text: string]>,
  query: GrepQuery,
): AsyncGenerator<readonly VolumeHit[]> {
  let hits: VolumeHit[] = [];
  let found = 0;
  for (const [path, text] of texts) {
    const lines = searchLines(text, query.pattern, query.limit - found);
    if (lines.length === 0 || text.includes("\0")) continue;
    for (const line of lines) hits.push({ path, ...line });
    found += lines.length;
    if (found >= query.limit) break;
    if (hits.length < BATCH) continue;
    yield hits;
    hits = [];
    query.signal?.throwIfAborted();
  }
  yield hits;
}
