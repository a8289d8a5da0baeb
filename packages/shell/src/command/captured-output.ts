/** Bytes of the cut marker are not counted against the limit. */
const MARKER = (bytes: number): string => `\n[… ${bytes} bytes cut …]\n`;

/**
 * Collects output of any length in bounded memory: its head and its tail, half of the limit each, with a marker in between.
 */
export class CapturedOutput {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #dropped = 0;
  #received = 0;

  /** @param limit Bytes that are kept. */
  constructor(limit: number) {
    this.#headLimit = Math.ceil(limit / 2);
    this.#tailLimit = limit - this.#headLimit;
  }

  /** Bytes so far, the dropped ones included. */
  get received(): number {
    return this.#received;
  }

  /** True once something had to be cut. */
  get truncated(): boolean {
    return this.#dropped > 0;
  }

  /** Takes the next bytes. The buffer is copied where it is kept. */
  add(chunk: Buffer): void {
    this.#received += chunk.length;
    const room = this.#headLimit - this.#headBytes;
    const forHead = chunk.subarray(0, room);
    if (forHead.length > 0) {
      this.#head.push(Buffer.from(forHead));
      this.#headBytes += forHead.length;
    }
    if (chunk.length > room) this.#addToTail(chunk.subarray(room));
  }

  #addToTail(chunk: Buffer): void {
    // Of a chunk longer than the tail only its end can survive; copying the rest would be in vain.
    const skipped = Math.max(0, chunk.length - this.#tailLimit);
    this.#dropped += skipped;
    this.#tail.push(Buffer.from(chunk.subarray(skipped)));
    this.#tailBytes += chunk.length - skipped;
    if (this.#tailBytes > 2 * this.#tailLimit + 65_536) this.#trimTail();
  }

  #trimTail(): void {
    const all = Buffer.concat(this.#tail);
    const kept = all.subarray(Math.max(0, all.length - this.#tailLimit));
    this.#dropped += all.length - kept.length;
    this.#tail = [Buffer.from(kept)];
    this.#tailBytes = kept.length;
  }

  /** The text so far. Characters are never split by a cut; bytes that are no UTF-8 become U+FFFD, as output has no other form. */
  text(): string {
    this.#trimTail();
    const head = Buffer.concat(this.#head);
    const tail = Buffer.concat(this.#tail);
    if (this.#dropped === 0) return decode(Buffer.concat([head, tail]));
    const wholeHead = head.subarray(0, lastBoundary(head));
    const wholeTail = tail.subarray(firstBoundary(tail));
    const cut = this.#dropped + (head.length - wholeHead.length) + (tail.length - wholeTail.length);
    return decode(wholeHead) + MARKER(cut) + decode(wholeTail);
  }
}

function decode(bytes: Buffer): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/** Where the last whole character ends. */
function lastBoundary(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

/** Where the first whole character begins. */
function firstBoundary(bytes: Buffer): number {
  let at = 0;
  while (at < Math.min(3, bytes.length) && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return at;
}
