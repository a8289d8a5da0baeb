import { closeSync, readSync } from "node:fs";
import { isTextBytes, LinePager, type LineRange } from "@fs/protocol/hooks";
import type { VolumePage } from "@fs/protocol/author";
import type { OpenFile } from "../tree/tree.js";
import type { Pacer } from "./pacing.js";
import { versionOf } from "./version.js";

/** Bytes up to which a file is judged text or binary as a whole; a page of a larger one is judged by itself. */
const JUDGED_WHOLE = 1024 * 1024;
/** Bytes per read of a larger file. */
const CHUNK = 256 * 1024;

/**
 * Lines of an open file, which is closed. Reads no further than the end of the page and one chunk, whatever the size of
 * the file. `undefined` for a binary file that was judged whole. Throws `too_large`, `aborted`.
 */
export async function readPage(
  file: OpenFile,
  range: LineRange,
  pacer: Pacer,
): Promise<VolumePage | undefined> {
  try {
    const page = new LinePager(range);
    if (file.stats.size <= JUDGED_WHOLE) {
      const bytes = readShort(file.fd, Number(file.stats.size));
      if (!isTextBytes(bytes)) return undefined;
      page.feed(bytes);
      page.end();
    } else {
      await feedChunks(page, file.fd, pacer);
    }
    return { ...page.result(), version: versionOf(file.stats) };
  } finally {
    closeSync(file.fd);
  }
}

async function feedChunks(page: LinePager, fd: number, pacer: Pacer): Promise<void> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  for (let position = 0; !page.complete;) {
    const got = readSync(fd, chunk, 0, CHUNK, position);
    if (got === 0) page.end();
    else page.feed(chunk.subarray(0, got), true);
    position += got;
    if (pacer.due) await pacer.rest();
  }
}

/** All of a short file; what was appended since it was opened may be left out. */
function readShort(fd: number, size: number): Buffer {
  // Files of the kernel say that they are empty and are not.
  const bytes = Buffer.allocUnsafe(size === 0 ? 64 * 1024 : size);
  let filled = 0;
  while (filled < bytes.length) {
    const got = readSync(fd, bytes, filled, bytes.length - filled, filled);
    if (got === 0) break;
    filled += got;
  }
  return bytes.subarray(0, filled);
}
