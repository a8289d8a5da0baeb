import { createHash } from "node:crypto";
import { prefixOf } from "@fs/protocol/author";

// A B-tree entry of PostgreSQL holds about 2,700 bytes, namespace and path together, but a path may have 4,096. A longer
// one is kept under a key, its first bytes and a hash, and stands whole in a column of its own.
const MAX_PATH_KEY = 1900;
const MAX_NAMESPACE_KEY = 512;
/** Bytes of a segment and its slash: below such a directory even the name of a child is in the key. */
const SEGMENT_ROOM = 256;

/** A stretch of keys in the order of the `"C"` collation, that is of code points: `[from, to)`. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
  /** Set when the keys are too short to tell: what the whole path must start with as well. */
  readonly prefix: string | undefined;
}

/** The key of a path: the path itself, but for a very long one. */
export function pathKey(path: string): string {
  return shortened(path, MAX_PATH_KEY);
}

/** The key of a namespace: the namespace itself, but for a very long one. */
export function namespaceKey(namespace: string): string {
  return shortened(namespace, MAX_NAMESPACE_KEY);
}

/** True when the path is not its own key. */
export function isLongPath(path: string): boolean {
  return path.length * 3 > MAX_PATH_KEY && Buffer.byteLength(path) > MAX_PATH_KEY;
}

/** The most bytes of a path that is its own key. */
export const MAX_PLAIN_PATH_BYTES = MAX_PATH_KEY;

/** True when the key of everything below a directory holds the child's whole name. */
export function childrenShowInKeys(directory: string): boolean {
  return Buffer.byteLength(prefixOf(directory)) + SEGMENT_ROOM <= MAX_PATH_KEY;
}

/** The keys of everything below a directory. */
export function keysBelow(directory: string): KeyRange {
  return keysStartingWith(prefixOf(directory));
}

/** The keys of every path that starts with a text. */
export function keysStartingWith(prefix: string): KeyRange {
  const head = cutToBytes(prefix, MAX_PATH_KEY);
  return { from: head, to: successorOf(head), prefix: head === prefix ? undefined : prefix };
}

/** The key right after that of a path: nothing stands between, for no path holds a control character. */
export function keyAfter(key: string): string {
  return `${key}\u0001`;
}

// A shortened key is longer than the limit, so it never meets a text that is its own key.
function shortened(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text;
  const hash = createHash("sha256").update(text).digest("hex");
  return `${cutToBytes(text, maxBytes)}:${hash}`;
}

function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  let end = maxBytes;
  // Never within a character: a continuation byte is 10xxxxxx.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString("utf8", 0, end);
}

/** All texts that start with one, `[from, to)`; `undefined` for what has no end, and for the empty text, which is anything. */
export function textsStartingWith(text: string): { from: string; to: string } | undefined {
  return /^\u{10ffff}*$/u.test(text) ? undefined : { from: text, to: successorOf(text) };
}

/** The least text above everything that starts with `text`, by code point. `text` has a character below the last, so there is one. */
function successorOf(text: string): string {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === 0x10ffff) points.pop();
  const last = (points.pop() ?? 0) + 1;
  // The surrogates are no characters.
  points.push(last === 0xd800 ? 0xe000 : last);
  return points.map((point) => String.fromCodePoint(point)).join("");
}
