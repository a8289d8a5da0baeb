/** UTF-16 units that come after the surrogates, although in UTF-8 they come before what surrogates spell. */
const FIRST_ABOVE_SURROGATES = 0xe000;
const FIRST_SURROGATE = 0xd800;

/** Compares keys as servers sort them, by the bytes of their UTF-8; below zero where the first comes first. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = rankOf(a.charCodeAt(index)) - rankOf(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function rankOf(unit: number): number {
  if (unit < FIRST_SURROGATE) return unit;
  return unit >= FIRST_ABOVE_SURROGATES ? unit - 0x800 : unit + 0x2000;
}

/** Returns whether a text may sort behind one that the server lists later: paths are sorted by UTF-16, keys by UTF-8. */
export function sortsOtherwise(path: string): boolean {
  return /[\ue000-\uffff]/.test(path);
}

/**
 * A key with nothing, or hardly anything, between it and `key`: a listing after it begins at `key` or a little before. It is
 * well-formed as `key` is: half a character cannot be sent.
 */
export function justBefore(key: string): string {
  const last = Array.from(key).at(-1) ?? "";
  const point = last.codePointAt(0) ?? 0;
  const before = point === FIRST_ABOVE_SURROGATES ? FIRST_SURROGATE - 1 : point - 1;
  return `${key.slice(0, -last.length)}${String.fromCodePoint(before)}~`;
}
