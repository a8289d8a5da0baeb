import { closeSync, readSync } from "node:fs";
import { isTextBytes, VolumeError, type VolumePage } from "@fs/protocol/volume";
import type { OpenFile } from "../tree/tree.js";
import type { Pacer } from "./pacing.js";
import { versionOf } from "./version.js";

/** Bytes up to which a file is judged text or binary as a whole; a page of a larger one is judged by itself. */
const JUDGED_WHOLE = 1024 * 1024;
/** Bytes per read of a larger file. */
const CHUNK = 256 * 1024;
const NEWLINE = 0x0a;

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
    const size = Number(file.stats.size);
    const chunkSize = size <= JUDGED_WHOLE ? size + 1 : CHUNK;
    const page = new PageScan(range);
    const buffer = Buffer.allocUnsafe(chunkSize);
    for (let position = 0; !page.complete;) {
      const got = readSync(file.fd, buffer, 0, chunkSize, position);
      const chunk = buffer.subarray(0, got);
      if (size <= JUDGED_WHOLE && !isTextBytes(chunk)) return undefined;
      page.feed(chunk);
      position += got;
      if (pacer.due) await pacer.rest();
    }
    return page.result(versionOf(file.stats));
  } finally {
    closeSync(file.fd);
  }
}

/** Finds a range of lines in a file that is fed chunk by chunk, an empty one at the end. */
class PageScan {
  readonly #range: PageRange;
  readonly #parts: Buffer[] = [];
  #bytes = 0;
  /** Line ends seen. */
  #ends = 0;
  #lastByte = NEWLINE;
  #atEnd = false;
  #more = false;

  constructor(range: PageRange) {
    this.#range = range;
  }

  get complete(): boolean {
    return this.#atEnd || this.#more;
  }

  feed(chunk: Buffer): void {
    if (chunk.length === 0) {
      this.#atEnd = true;
      return;
    }
    const { offset, limit } = this.#range;
    const start = this.#skip(chunk, 0, offset);
    if (start < chunk.length || this.#ends >= offset) {
      const end = this.#skip(chunk, start, offset + limit);
      this.#keep(chunk.subarray(start, end));
      this.#more = end < chunk.length;
    }
    this.#lastByte = chunk.at(-1) ?? NEWLINE;
  }

  result(version: string): VolumePage {
    const { offset } = this.#range;
    const bytes = Buffer.concat(this.#parts);
    // Text after the last line end is a line of its own.
    const open = this.#atEnd && this.#lastByte !== NEWLINE ? 1 : 0;
    const totalLines = this.#ends + open;
    const openInPage = bytes.length > 0 && bytes.at(-1) !== NEWLINE ? 1 : 0;
    const lines = Math.max(0, this.#ends - offset) + openInPage;
    const total = this.#atEnd ? { totalLines } : {};
    return { bytes, lines, ...total, atEnd: this.#atEnd, version };
  }

  /** Moves on until `target` line ends were seen. Returns where that is in the chunk. */
  #skip(chunk: Buffer, from: number, target: number): number {
    let at = from;
    while (this.#ends < target) {
      const newline = chunk.indexOf(NEWLINE, at);
      if (newline === -1) return chunk.length;
      this.#ends++;
      at = newline + 1;
    }
    return at;
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    this.#bytes += part.length;
    if (this.#bytes > this.#range.maxBytes) {
      throw new VolumeError(
        "too_large",
        `The lines asked for have more than the ${this.#range.maxBytes} bytes that are read at once here. Ask for fewer.`,
      );
    }
    // The chunk's memory is used again for the next one.
    this.#parts.push(Buffer.from(part));
  }
}
