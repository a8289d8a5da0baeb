/** Bytes that travel in one blob. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Characters of paths in one command: each may take four there, and a command has its limit. */
const MAX_PATH_CHARACTERS = 12_000;
/** Files of one command. */
const MAX_FILES = 200;

type File = readonly [path: string, bytes: Uint8Array];

/** Cuts an upload into batches that one command and one transfer can carry, in order. */
export function* batchesOf(files: readonly File[]): Generator<readonly File[]> {
  let batch: File[] = [];
  let bytes = 0;
  let characters = 0;
  for (const file of files) {
    const [path, { length }] = file;
    const full =
      batch.length === MAX_FILES ||
      bytes + length > MAX_BYTES ||
      characters + Buffer.byteLength(path) > MAX_PATH_CHARACTERS;
    if (full && batch.length > 0) {
      yield batch;
      [batch, bytes, characters] = [[], 0, 0];
    }
    batch.push(file);
    bytes += length;
    characters += Buffer.byteLength(path);
  }
  if (batch.length > 0) yield batch;
}
