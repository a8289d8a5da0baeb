import { closeSync, readSync } from "node:fs";
import { isTextBytes, VolumeError, type VolumePage } from "@fs/protocol/author";
import type { OpenFile } from "../tree/tree.js";
import { countNewlines, NEWLINE } from "./newlines.js";
import type { Pacer } from "./pacing.js";
import { versionOf } from "./version.js";

/** Bytes up to which a file is judged text or binary as a whole; a page of a larger one is judged by itself. */
const JUDGED_WHOLE = 1024 * 1024;
/** Bytes per read of a larger file. */
const CHUNK = 256 * 1024;

export interface PageRange {
  readonly offset: number;
  readonly limit: number;
  /** Bytes that a page may have; more is `too_large`. */
  readonly maxBytes: number;
}

/**
 * Lines of an open file, which is closed. Reads no further than the end of the page and one chunk, whatever the size of
 * the file. `undefined` for a binary file that was judged whole. Throws `too_large`, `aborted`.
 */
export async function readPage(
  file: OpenFile,
  range: PageRange,
  pacer: Pacer,
): Promise<VolumePage | undefined> {
  try {
    const page = new PageScan(range);
    if (file.stats.size <= JUDGED_WHOLE) {
      const bytes = readShort(file.fd, Number(file.stats.size));
      if (!isTextBytes(bytes)) return undefined;
      page.feed(bytes);
      page.end(bytes);
    } else {
      await feedChunks(page, file.fd, pacer);
    }
    return page.result(versionOf(file.stats));
  } finally {
    closeSync(file.fd);
  }
}

async function feedChunks(page: PageScan, fd: number, pacer: Pacer): Promise<void> {
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

/** Finds a range of lines in a file that is fed chunk by chunk. */
class PageScan {
  readonly #range: PageRange;
  readonly #parts: Buffer[] = [];
  #bytes = 0;
  /** Line ends seen, up to the end of the page. */
  #ends = 0;
  #lastByte = NEWLINE;
  /** True once something after the page was seen. */
  #more = false;
  #totalLines: number | undefined;

  constructor(range: PageRange) {
    this.#range = range;
  }

  get complete(): boolean {
    return this.#more || this.#totalLines !== undefined;
  }

  /** Takes the next chunk; `reused` says that its memory will change afterwards. */
  feed(chunk: Buffer, reused = false): void {
    const { offset, limit } = this.#range;
    const start = this.#skip(chunk, 0, offset);
    if (start < chunk.length || this.#ends >= offset) {
      const end = this.#skip(chunk, start, offset + limit);
      if (end > start) this.#keep(chunk.subarray(start, end), reused);
      this.#more = end < chunk.length;
    }
    this.#lastByte = chunk.at(-1) ?? NEWLINE;
  }

  /** Notes that nothing follows what was fed: all of it again, if it was one chunk. */
  end(whole?: Buffer): void {
    const ends = this.#more && whole !== undefined ? countNewlines(whole) : this.#ends;
    // Text after the last line end is a line of its own.
    this.#totalLines = ends + (this.#lastByte === NEWLINE ? 0 : 1);
  }

  result(version: string): VolumePage {
    const [only] = this.#parts;
    const bytes =
      only !== undefined && this.#parts.length === 1 ? only : Buffer.concat(this.#parts);
    const open = bytes.length > 0 && bytes.at(-1) !== NEWLINE ? 1 : 0;
    const lines = Math.max(0, this.#ends - this.#range.offset) + open;
    const total = this.#totalLines === undefined ? {} : { totalLines: this.#totalLines };
    return { bytes, lines, ...total, atEnd: !this.#more, version };
  }

  /** Moves on until `target` line ends were seen. Returns where that is in the chunk. */
  #skip(chunk: Buffer, from: number, target: number): number {
    let at = from;
    let ends = this.#ends;
    while (ends < target) {
      const newline = chunk.indexOf(NEWLINE, at);
      if (newline === -1) {
        at = chunk.length;
        break;
      }
      ends++;
      at = newline + 1;
    }
    this.#ends = ends;
    return at;
  }

  #keep(part: Buffer, reused: boolean): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#range.maxBytes) {
      throw new VolumeError(
        "too_large",
        `The lines asked for have more than the ${this.#range.maxBytes} bytes that are read at once here. Ask for fewer.`,
      );
    }
    this.#parts.push(reused ? Buffer.from(part) : part);
  }
}
