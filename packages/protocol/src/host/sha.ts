/** Hash functions for a runtime without `node:crypto`; the one of the web is asynchronous, and versions are not. FIPS 180-4. */
export type HashName = "sha1" | "sha256";

const ROUND_CONSTANTS = firstBitsOfRoots(64, 1 / 3);
const START: Readonly<Record<HashName, readonly number[]>> = {
  sha1: [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0],
  sha256: [...firstBitsOfRoots(8, 1 / 2)],
};

/** The digest of bytes. */
export function shaOf(name: HashName, bytes: Uint8Array): Uint8Array {
  const padded = pad(bytes);
  const view = new DataView(padded.buffer);
  const state = Uint32Array.from(START[name]);
  const round = name === "sha1" ? sha1Block : sha256Block;
  for (let at = 0; at < padded.length; at += 64) round(state, view, at);
  const digest = new DataView(new ArrayBuffer(state.length * 4));
  state.forEach((value, index) => digest.setUint32(index * 4, value));
  return new Uint8Array(digest.buffer);
}

/** A one bit, zeros up to a whole block, and the length in bits. */
function pad(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return padded;
}

function sha1Block(state: Uint32Array, view: DataView, start: number): void {
  const words = new Uint32Array(80);
  for (let t = 0; t < 16; t += 1) words[t] = view.getUint32(start + t * 4);
  for (let t = 16; t < 80; t += 1)
    words[t] = left(
      word(words, t - 3) ^ word(words, t - 8) ^ word(words, t - 14) ^ word(words, t - 16),
      1,
    );
  let [a = 0, b = 0, c = 0, d = 0, e = 0] = state;
  for (let t = 0; t < 80; t += 1) {
    const [mixed, constant] =
      t < 20
        ? [(b & c) | (~b & d), 0x5a827999]
        : t < 40
          ? [b ^ c ^ d, 0x6ed9eba1]
          : t < 60
            ? [(b & c) | (b & d) | (c & d), 0x8f1bbcdc]
            : [b ^ c ^ d, 0xca62c1d6];
    const next = (left(a, 5) + mixed + e + constant + word(words, t)) | 0;
    [a, b, c, d, e] = [next, a, left(b, 30), c, d];
  }
  add(state, [a, b, c, d, e]);
}

function sha256Block(state: Uint32Array, view: DataView, start: number): void {
  const words = new Uint32Array(64);
  for (let t = 0; t < 16; t += 1) words[t] = view.getUint32(start + t * 4);
  for (let t = 16; t < 64; t += 1) {
    const [early, late] = [word(words, t - 15), word(words, t - 2)];
    const low = left(early, 25) ^ left(early, 14) ^ (early >>> 3);
    const high = left(late, 15) ^ left(late, 13) ^ (late >>> 10);
    words[t] = low + high + word(words, t - 7) + word(words, t - 16);
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t += 1) {
    const high = left(e, 26) ^ left(e, 21) ^ left(e, 7);
    const chosen = (e & f) ^ (~e & g);
    const first = (h + high + chosen + word(ROUND_CONSTANTS, t) + word(words, t)) | 0;
    const low = left(a, 30) ^ left(a, 19) ^ left(a, 10);
    const second = (low + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  add(state, [a, b, c, d, e, f, g, h]);
}

function add(state: Uint32Array, words: readonly number[]): void {
  words.forEach((value, index) => {
    state[index] = word(state, index) + value;
  });
}

function word(words: Uint32Array, index: number): number {
  return words[index] ?? 0;
}

function left(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

/** The first 32 bits of the fractions of roots of the first primes, which the standard takes for constants. */
function firstBitsOfRoots(count: number, exponent: number): Uint32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < count; candidate += 1)
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  return Uint32Array.from(primes, (prime) => {
    const root = prime ** exponent;
    return (root - Math.floor(root)) * 2 ** 32;
  });
}
