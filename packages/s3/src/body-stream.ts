import { Readable } from "node:stream";
import { VolumeError } from "@fs/protocol/author";
import { refuseAborted, waitFor } from "@fs/protocol/async";

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
    for await (const piece of untilAborted(source as AsyncIterable<unknown>, signal)) {
      if (!(piece instanceof Uint8Array))
        throw new VolumeError("invalid_argument", "A stream to upload must yield bytes.");
      length += piece.length;
      if (length > maxBytes) throw new VolumeError("too_large");
      if (piece.length > 0) yield piece;
    }
  }
  return Readable.from(checked(), { objectMode: false });
}

/** The pieces of a source, also of one that is silent when the signal fires. The source is closed when no more is taken. */
async function* untilAborted(
  source: AsyncIterable<unknown>,
  signal: AbortSignal | undefined,
): AsyncGenerator {
  const pieces = source[Symbol.asyncIterator]();
  let done = false;
  try {
    for (;;) {
      refuseAborted(signal);
      const next = await waitFor(
        Promise.resolve(pieces.next()),
        { signal, timeoutMs: Infinity },
        () => new VolumeError("aborted"),
      );
      done = next.done === true;
      if (done) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a source that is silent may never answer that either, and what it then says is of no use to anybody.
    if (!done) void Promise.resolve(pieces.return?.()).catch(() => undefined);
  }
}
