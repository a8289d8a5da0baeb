import { Readable } from "node:stream";
import { VolumeError } from "@fs/protocol/author";
import { refuseAborted } from "@fs/protocol/async";

import { MIB } from "./options.js";

/** Bytes as a stream that breaks off when the call is aborted. */
export function bodyOfBytes(bytes: Uint8Array, signal: AbortSignal | undefined): Readable {
  function* slices(): Generator<Uint8Array> {
    for (let from = 0; from < bytes.length; from += MIB) {
      refuseAborted(signal);
      yield bytes.subarray(from, from + MIB);
    }
  }
  return Readable.from(slices(), { objectMode: false });
}

/**
 * A caller's stream that breaks off when the call is aborted (`aborted`), when it grows over the limit (`too_large`), or
 * yields anything but bytes (`invalid_argument`).
 */
export function bodyOfStream(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Readable {
  async function* checked(): AsyncGenerator<Uint8Array> {
    let length = 0;
    for await (const piece of source as AsyncIterable<unknown>) {
      refuseAborted(signal);
      if (!(piece instanceof Uint8Array))
        throw new VolumeError("invalid_argument", "A stream to upload must yield bytes.");
      length += piece.length;
      if (length > maxBytes) throw new VolumeError("too_large");
      if (piece.length > 0) yield piece;
    }
  }
  return Readable.from(checked(), { objectMode: false });
}
