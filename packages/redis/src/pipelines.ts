import type { VolumeUpload } from "@fs/protocol/author";

/** Bytes and files of one pipeline of writes. */
const PIPELINE_BYTES = 8 * 1024 * 1024;
const PIPELINE_FILES = 256;

/** Splits uploads so that a pipeline stays bounded, in files and in bytes; in order. */
export function* pipelinesOf(files: readonly VolumeUpload[]): Generator<VolumeUpload[]> {
  let slice: VolumeUpload[] = [];
  let bytes = 0;
  for (const file of files) {
    if (
      slice.length === PIPELINE_FILES ||
      (slice.length > 0 && bytes + file[1].length > PIPELINE_BYTES)
    ) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(file);
    bytes += file[1].length;
  }
  if (slice.length > 0) yield slice;
}
