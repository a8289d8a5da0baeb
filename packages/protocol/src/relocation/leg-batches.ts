import type { Leg } from "./ends.js";

/** Files of one batch at most. */
const MAX_FILES = 200;
/** Bytes of one batch at most, as far as they are known beforehand: what is held in memory at once. */
const MAX_BYTES = 16 * 1024 * 1024;
/** What a file of unknown size is counted as. */
const UNKNOWN_BYTES = 256 * 1024;

/** Legs in batches that bound the calls and the memory. A file over the limit is a batch of its own. */
export function* legBatches(legs: readonly Leg[]): Generator<Leg[]> {
  let batch: Leg[] = [];
  let bytes = 0;
  for (const leg of legs) {
    const size = leg.size ?? UNKNOWN_BYTES;
    if (batch.length === MAX_FILES || (batch.length > 0 && bytes + size > MAX_BYTES)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(leg);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
