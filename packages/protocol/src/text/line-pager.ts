import { VolumeError } from "../errors/volume-error.js";

/** The byte that ends a line. */
export const NEWLINE = 0x0a;

/** Counts the line ends in a stretch of bytes. */
export function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

/** Lines of a text in UTF-8: each newline ends one, and what follows the last is one more. No bytes have none. */
export function countByteLines(bytes: Uint8Array): number {
  const open = bytes.length > 0 && bytes.at(-1) !== NEWLINE ? 1 : 0;
  return countNewlines(bytes) + open;
}

/** Stretches of bytes as one array of its own: a plain `Uint8Array`, whatever the stretches are. */
export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** The lines that a page is made of. */
export interface LineRange {
  /** 0-based. */
  readonly offset: number;
  readonly limit: number;
  /** Bytes that the page may have; more is `too_large`. Default: no bound. */
  readonly maxBytes?: number;
}

/** A page as {@link LinePager} found it. */
export interface LinePage {
  readonly bytes: Uint8Array;
  /** Lines in `bytes`. */
  readonly lines: number;
  /** Lines of the whole file, when the end was seen. */
  readonly totalLines?: number;
  /** True when nothing follows the page. */
  readonly atEnd: boolean;
}

/**
 * Finds a range of lines in a file that is fed stretch by stretch, from its first byte. Keeps only the bytes of the page.
 *
 * @example
 * const pager = new LinePager({ offset: 100, limit: 50 });
 * for await (const chunk of stream) {
 *   pager.feed(chunk);
 *   if (pager.complete) break;
 * }
 * if (!pager.complete) pager.end();
 * return pager.result();
 */
export class LinePager {
  readonly #range: LineRange;
  readonly #last: number;
  readonly #parts: Uint8Array[] = [];
  #bytes = 0;
  /** Line ends seen, up to the end of the page. */
  #ends = 0;
  #lastByte = NEWLINE;
  /** What was fed after the page, as long as it is the end of the last stretch. */
  #rest: Uint8Array | undefined;
  #followed = false;
  #totalLines: number | undefined;

  constructor(range: LineRange) {
    this.#range = range;
    this.#last = range.offset + range.limit;
  }

  /** True when every line of the page has ended; whether anything follows may still be unknown. */
  get filled(): boolean {
    return this.#ends >= this.#last || this.#totalLines !== undefined;
  }

  /** True when nothing more need be fed: something after the page was seen, or the end. */
  get complete(): boolean {
    return this.#followed || this.#totalLines !== undefined;
  }

  /** Takes the next stretch; `reused` says that its memory will change afterwards. Throws `too_large`. */
  feed(stretch: Uint8Array, reused = false): void {
    if (stretch.length === 0) return;
    const { offset } = this.#range;
    if (this.#followed) this.#rest = undefined;
    else {
      const start = this.#skip(stretch, 0, offset);
      const end = this.#skip(stretch, start, this.#last);
      if (this.#ends >= offset && end > start) this.#keep(stretch.subarray(start, end), reused);
      this.#followed = end < stretch.length;
      if (this.#followed && !reused) this.#rest = stretch.subarray(end);
    }
    this.#lastByte = stretch.at(-1) ?? NEWLINE;
  }

  /** Notes that more follows what was fed. */
  more(): void {
    this.#followed = true;
    this.#rest = undefined;
  }

  /** Notes that nothing follows what was fed. The lines of the file are counted, unless some were passed over unseen. */
  end(): void {
    if (this.#followed && this.#rest === undefined) return;
    const ends = this.#ends + (this.#rest === undefined ? 0 : countNewlines(this.#rest));
    this.#totalLines = ends + (this.#lastByte === NEWLINE ? 0 : 1);
  }

  result(): LinePage {
    const [only] = this.#parts;
    const bytes =
      only !== undefined && this.#parts.length === 1
        ? new Uint8Array(only.buffer, only.byteOffset, only.byteLength)
        : joinedBytes(this.#parts);
    const open = bytes.length > 0 && bytes.at(-1) !== NEWLINE ? 1 : 0;
    return {
      bytes,
      lines: Math.max(0, this.#ends - this.#range.offset) + open,
      ...(this.#totalLines === undefined ? {} : { totalLines: this.#totalLines }),
      atEnd: !this.#followed,
    };
  }

  /** Moves on until `target` line ends were seen. Returns where that is in the stretch. */
  #skip(stretch: Uint8Array, from: number, target: number): number {
    let at = from;
    while (this.#ends < target) {
      const newline = stretch.indexOf(NEWLINE, at);
      if (newline === -1) return stretch.length;
      this.#ends++;
      at = newline + 1;
    }
    return at;
  }

  #keep(part: Uint8Array, reused: boolean): void {
    this.#bytes += part.length;
    const { maxBytes = Infinity } = this.#range;
    if (this.#bytes > maxBytes) {
      throw new VolumeError(
        "too_large",
        `The lines asked for have more than the ${maxBytes} bytes that are read at once here. Ask for fewer.`,
      );
    }
    this.#parts.push(reused ? new Uint8Array(part) : part);
  }
}

/** Lines `offset` to `offset + limit` of a text in UTF-8 that is here whole. */
export function pageOfBytes(bytes: Uint8Array, offset: number, limit: number): LinePage {
  const pager = new LinePager({ offset, limit });
  pager.feed(bytes);
  pager.end();
  return pager.result();
}
