/** Bytes that travel in one blob. */
export const MAX_BLOB_BYTES = 8 * 1024 * 1024;
/** Bytes of one command; a command has its limit. */
const MAX_COMMAND_BYTES = 100_000;

/** What one item adds to a command and to its blob, in bytes. */
export interface Weight {
  readonly command: number;
  readonly blob: number;
}

/** Cuts items into batches that one command and one transfer can carry, in order. */
export function* batchesOf<T>(
  items: readonly T[],
  maxItems: number,
  weightOf: (item: T) => Weight,
): Generator<readonly T[]> {
  let batch: T[] = [];
  let command = 0;
  let blob = 0;
  for (const item of items) {
    const weight = weightOf(item);
    const full =
      batch.length >= maxItems ||
      blob + weight.blob > MAX_BLOB_BYTES ||
      command + weight.command > MAX_COMMAND_BYTES;
    if (full && batch.length > 0) {
      yield batch;
      [batch, command, blob] = [[], 0, 0];
    }
    batch.push(item);
    command += weight.command;
    blob += weight.blob;
  }
  if (batch.length > 0) yield batch;
}
