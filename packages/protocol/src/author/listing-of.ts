import type { Listing, VolumeEntry } from "../spi/volume.js";

/**
 * A listing that a volume has in batches, to be returned by its `list`.
 *
 * @param batches Begins the listing. May throw and reject as `list` may.
 * @example
 * list: (directory, query) => listingOf(async function* () {
 *   for await (const page of client.pages(directory)) yield page.map(entryOf);
 * }),
 */
export function listingOf(batches: () => AsyncIterable<readonly VolumeEntry[]>): Listing {
  return {
    batches,
    async *[Symbol.asyncIterator]() {
      for await (const batch of batches()) for (const entry of batch) yield entry;
    },
  };
}

/** Entries that are handed over together: a millisecond's work or so; fewer at first, for who leaves the listing early. */
const FIRST_BATCH = 512;
const BATCH = 4096;

/** Entries that a volume has one by one, at once, as batches for {@link listingOf}. */
export function* inBatches(entries: Iterable<VolumeEntry>): Generator<readonly VolumeEntry[]> {
  let batch: VolumeEntry[] = [];
  let full = FIRST_BATCH;
  for (const entry of entries) {
    if (batch.push(entry) < full) continue;
    yield batch;
    batch = [];
    full = BATCH;
  }
  yield batch;
}
