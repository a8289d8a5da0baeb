import { closeSync, readSync } from "node:fs";
import { decodeText, type VolumeHit } from "@fs/protocol/author";
import {
  isTextBytes,
  searchLines,
  type LineHit,
  type LinePattern,
  countNewlines,
  NEWLINE,
} from "@fs/protocol/hooks";
import { literalHits } from "./literal-hits.js";
import type { OpenFile } from "../tree/tree.js";

/** Bytes up to which a file is searched in one piece. */
const ONE_PIECE = 4 * 1024 * 1024;
/** Bytes of one line beyond which a file counts as binary. */
const LONGEST_LINE = 256 * 1024 * 1024;

/** Searches files with one buffer that is used again and again. */
export class FileScanner {
  readonly #pattern: LinePattern;
  /** What the bytes of a matching file must hold; `undefined` when that cannot be told. */
  readonly #needle: Buffer | undefined;
  #buffer = Buffer.allocUnsafeSlow(256 * 1024);

  constructor(pattern: LinePattern) {
    this.#pattern = pattern;
    const literal = !pattern.regex && !pattern.ignoreCase;
    this.#needle = literal ? Buffer.from(pattern.source) : undefined;
  }

  /**
   * The matching lines of an open file, which is closed; none unless all of it is text. Pauses now and then within a large
   * file, by yielding.
   */
  *scan(path: string, file: OpenFile, limit: number): Generator<undefined, VolumeHit[]> {
    try {
      if (file.stats.size > ONE_PIECE) return yield* this.#scanLarge(path, file.fd, limit);
      const bytes = this.#readAll(file);
      if (!this.#mayMatch(bytes) || !isTextBytes(bytes)) return [];
      return this.#search(path, bytes, 0, limit);
    } finally {
      closeSync(file.fd);
    }
  }

  #mayMatch(bytes: Buffer): boolean {
    return this.#needle === undefined || bytes.includes(this.#needle);
  }

  #search(path: string, bytes: Buffer, linesBefore: number, limit: number): VolumeHit[] {
    const hits =
      this.#needle === undefined || this.#needle.length === 0
        ? searchLines(decodeText(bytes), this.#pattern, limit).map(detached)
        : literalHits(bytes, this.#needle, limit);
    return hits.map(({ line, text }) => ({ path, line: linesBefore + line, text }));
  }

  #readAll({ fd, stats }: OpenFile): Buffer {
    let filled = 0;
    // One byte more than it should have, to see the end without another call.
    this.#reserve(Math.max(Number(stats.size) + 1, 4096), 0);
    for (;;) {
      const got = readSync(fd, this.#buffer, filled, this.#buffer.length - filled, filled);
      filled += got;
      if (got === 0 || filled < this.#buffer.length) return this.#buffer.subarray(0, filled);
      if (filled > ONE_PIECE) return this.#buffer.subarray(0, filled);
      this.#reserve(filled * 2, filled);
    }
  }

  #reserve(length: number, keep: number): void {
    if (this.#buffer.length >= length) return;
    const grown = Buffer.allocUnsafeSlow(length);
    this.#buffer.copy(grown, 0, 0, keep);
    this.#buffer = grown;
  }

  *#scanLarge(path: string, fd: number, limit: number): Generator<undefined, VolumeHit[]> {
    if (!(yield* this.#occurs(fd))) return [];
    const hits: VolumeHit[] = [];
    let lines = 0;
    for (const piece of this.#pieces(fd)) {
      yield undefined;
      if (piece === undefined || !isTextBytes(piece)) return [];
      if (hits.length < limit && this.#mayMatch(piece)) {
        for (const hit of this.#search(path, piece, lines, limit - hits.length)) hits.push(hit);
      }
      lines += countNewlines(piece);
    }
    return hits;
  }

  /** A first look at a large file for the bytes of a literal, which most files lack. */
  *#occurs(fd: number): Generator<undefined, boolean> {
    if (this.#needle === undefined) return true;
    const overlap = this.#needle.length - 1;
    this.#reserve(ONE_PIECE + overlap, 0);
    let kept = 0;
    for (let position = 0; ;) {
      const got = readSync(fd, this.#buffer, kept, ONE_PIECE, position);
      if (got === 0) return false;
      const window = this.#buffer.subarray(0, kept + got);
      if (window.includes(this.#needle)) return true;
      position += got;
      const tail = Math.min(overlap, window.length);
      this.#buffer.copyWithin(0, window.length - tail, window.length);
      kept = tail;
      yield undefined;
    }
  }

  /** A file in pieces of whole lines; `undefined` for a line of absurd length. */
  *#pieces(fd: number): Generator<Buffer | undefined, void> {
    let kept = 0;
    this.#reserve(ONE_PIECE, 0);
    for (let position = 0; ;) {
      if (kept === this.#buffer.length) this.#reserve(kept * 2, kept);
      const got = readSync(fd, this.#buffer, kept, this.#buffer.length - kept, position);
      const filled = kept + got;
      position += got;
      const window = this.#buffer.subarray(0, filled);
      const end = got === 0 ? filled : window.lastIndexOf(NEWLINE) + 1;
      if (end > 0) yield window.subarray(0, end);
      if (got === 0) return;
      this.#buffer.copyWithin(0, end, filled);
      kept = filled - end;
      if (kept > LONGEST_LINE) yield undefined;
    }
  }
}

/** A hit whose text is a string of its own: a slice would keep its whole file in memory. */
function detached({ line, text }: LineHit): LineHit {
  return { line, text: Buffer.from(text).toString("utf8") };
}
