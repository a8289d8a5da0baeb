import { closeSync, read, readSync } from "node:fs";
import { promisify } from "node:util";
import { VolumeError } from "@fs/protocol/author";
import type { OpenFile } from "../tree/tree.js";

/** Bytes up to which a file is read in one go: a thread-pool hop costs more. */
const AT_ONCE = 256 * 1024;
/** Bytes per asynchronous read of a larger one: each costs a turn of the event loop, which a busy process feels. */
const CHUNK = 64 * 1024 * 1024;

const readLater = promisify(read);

/** The whole content of an open file, which is closed. Throws `too_large` above `maxBytes`, `aborted`. */
export async function readWhole(
  file: OpenFile,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  try {
    const size = sizeWithin(file, maxBytes);
    if (size <= AT_ONCE) return readNow(file.fd, size, maxBytes);
    const bytes = Buffer.allocUnsafeSlow(size);
    let filled = 0;
    while (filled < size) {
      if (signal?.aborted === true) throw new VolumeError("aborted");
      const length = Math.min(CHUNK, size - filled);
      const { bytesRead } = await readLater(file.fd, bytes, filled, length, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return plain(bytes, filled);
  } finally {
    closeSync(file.fd);
  }
}

function sizeWithin({ stats }: OpenFile, maxBytes: number): number {
  if (stats.size <= maxBytes) return Number(stats.size);
  throw new VolumeError(
    "too_large",
    `The file has ${stats.size} bytes, more than the ${maxBytes} that are read at once here. Read a text file page by page.`,
  );
}

function readNow(fd: number, size: number, maxBytes: number): Uint8Array {
  // Files of the kernel say that they are empty and are not.
  if (size === 0) return readUntilEnd(fd, maxBytes);
  const bytes = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  while (filled < size) {
    const got = readSync(fd, bytes, filled, size - filled, filled);
    if (got === 0) break;
    filled += got;
  }
  return plain(bytes, filled);
}

/** The start of a buffer as what every other backend gives, too: no Buffer, which is another type to JSON and to equality. */
function plain({ buffer, byteOffset }: Buffer, length: number): Uint8Array {
  return new Uint8Array(buffer, byteOffset, length);
}

function readUntilEnd(fd: number, maxBytes: number): Uint8Array {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(4096);
    const got = readSync(fd, chunk, 0, chunk.length, total);
    if (got === 0) return plain(Buffer.concat(chunks), total);
    chunks.push(chunk.subarray(0, got));
    total += got;
    if (total > Math.min(maxBytes, AT_ONCE)) throw new VolumeError("too_large");
  }
}
