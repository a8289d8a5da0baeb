import type { Dice } from "./dice.js";

const encoder = new TextEncoder();

/** Pieces of text that break careless code. */
const PIECES = [
  ..."a|b|x|aa|aba| |\t|\n|\n\n|\r\n|\r|0|1:|-|--|$&|$$|$1|$`|\\|\\n|%|%s|'|\"|<|>|&amp;|{}|[x]|.*|^|(".split(
    "|",
  ),
  "|",
  "é",
  "e\u0301",
  "ß",
  "İ",
  "ı",
  "😀",
  "👩‍👩‍👧",
  "\ufeff",
  "\u2028",
  "\u0085",
  "\u00a0",
  "\f",
  "\v",
  "\u001b[0m",
  "\ufffd",
  "one",
  "One",
  "ONE",
  "null",
  "---\n",
  "/a.txt:1:a",
];

/** Numbers of lines around those of a page, a block and a default. */
const LINE_COUNTS = [
  1, 2, 3, 9, 10, 11, 49, 50, 51, 99, 100, 101, 499, 500, 501, 502, 999, 1000, 1001,
];

/** Lengths around those of buffers. */
const LENGTHS = [
  79, 80, 127, 128, 255, 256, 511, 512, 1000, 1023, 1024, 2000, 2048, 4095, 4096, 8191,
];

/** Ends of the blocks in which texts and bytes are carried. */
const BLOCKS = [256, 512, 1000, 1024, 4096, 8192, 16384, 32768, 65536];

/** What stands across the end of a block: a character of several bytes, a line end of two, a text to look for. */
const ACROSS = ["é", "日", "😀", "\r\n", "\n", "needle", "e\u0301", "\ufeff"];

const ENDS = ["\n", "\n", "\n", "\r\n", "\r\n", "\r"];

/** What texts of one exploration are made of: so few pieces that they come again, within a file and in others. */
export function wordsOf(dice: Dice): readonly string[] {
  return [
    ...Array.from({ length: 6 }, () => dice.pick(PIECES)),
    "\n",
    dice.pick(["\n", "\r\n", "a"]),
  ];
}

/** What texts of one exploration are like. */
export interface Manner {
  /** What they are made of. */
  readonly words: readonly string[];
  /** Whether most of them are large: otherwise few are. */
  readonly large: boolean;
}

/** A text of at most so many bytes. */
export function cornerText(dice: Dice, { words, large }: Manner, mostBytes: number): string {
  const text = large && dice.once(2) ? largeText(dice, words) : anyText(dice, words);
  if (encoder.encode(text).length <= mostBytes) return text;
  return shortText(dice, words)
    .slice(0, mostBytes / 4)
    .toWellFormed();
}

function largeText(dice: Dice, words: readonly string[]): string {
  switch (dice.below(3)) {
    case 0:
      return linesOfText(dice, words, dice.pick(LINE_COUNTS));
    case 1:
      return `${dice.pick(["a", "é", "ab", "😀"]).repeat(dice.pick(LENGTHS))}${dice.pick(["", "\n", "\nb\n"])}`;
    default:
      return atBlock(dice);
  }
}

function anyText(dice: Dice, words: readonly string[]): string {
  switch (dice.below(10)) {
    case 0:
      return "";
    case 1:
      return shortText(dice, words).repeat(1 + dice.below(4));
    case 2:
    case 3:
      return linesOfText(dice, words, 1 + dice.below(12));
    case 4:
      return dice.once(3) ? largeText(dice, words) : shortText(dice, words);
    default:
      return shortText(dice, words);
  }
}

/** A few pieces. */
export function shortText(dice: Dice, words: readonly string[]): string {
  return Array.from({ length: 1 + dice.below(8) }, () => dice.pick(words)).join("");
}

function linesOfText(dice: Dice, words: readonly string[], count: number): string {
  const end = dice.pick(ENDS);
  const mixed = dice.once(4);
  const alike = dice.once(3);
  const word = dice.pick(words).replaceAll(/[\r\n]/g, "");
  const lines = Array.from({ length: count }, (_, n) => {
    const own = dice.once(5)
      ? shortText(dice, words).replaceAll(/[\r\n]/g, "")
      : `${word} ${n + 1}`;
    return `${alike ? word : own}${mixed ? dice.pick(ENDS) : end}`;
  });
  const text = lines.join("");
  return dice.once(3) ? text.slice(0, -1) : text;
}

/** A text with something across the end of a block. */
function atBlock(dice: Dice): string {
  const across = dice.pick(ACROSS);
  const before = dice.pick(BLOCKS) - dice.below(encoder.encode(across).length + 1);
  const filler = dice.once(2)
    ? "x".repeat(before)
    : "line of text\n".repeat(before / 13 + 1).slice(0, before);
  return filler + across + dice.pick(["", "\n", "tail", "\ntail\n"]);
}

/** Bytes that are text, nearly text, or none. */
export function cornerBytes(dice: Dice, manner: Manner, mostBytes: number): Uint8Array {
  const text = encoder.encode(cornerText(dice, manner, mostBytes / 2));
  const at = dice.pick([
    0,
    0,
    text.length,
    text.length,
    Math.min(511, text.length),
    text.length >> 1,
  ]);
  switch (dice.below(6)) {
    case 0:
      return spliced(text, at, [0]);
    case 1:
      return spliced(text, at, dice.pick(ILL_FORMED));
    case 2:
      return spliced(text, 0, dice.pick(MAGIC));
    case 3:
      return Uint8Array.from({ length: 256 }, (_, n) => n);
    default:
      return text;
  }
}

/** Sequences that are no UTF-8: cut short, alone, overlong, half of a pair, beyond the last character. */
const ILL_FORMED: ReadonlyArray<readonly number[]> = [
  [0xc3],
  [0xe2, 0x82],
  [0xf0, 0x9f, 0x98],
  [0x80],
  [0xff],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
];

/** How files of a format begin, and texts of another encoding. */
const MAGIC: ReadonlyArray<readonly number[]> = [
  [0x89, 0x50, 0x4e, 0x47],
  [0x1f, 0x8b, 0x08],
  [0x50, 0x4b, 0x03, 0x04],
  [0xff, 0xfe, 0x61, 0x00],
  [0xef, 0xbb, 0xbf],
  [0x25, 0x50, 0x44, 0x46],
];

function spliced(bytes: Uint8Array, at: number, inserted: readonly number[]): Uint8Array {
  return Uint8Array.from([...bytes.subarray(0, at), ...inserted, ...bytes.subarray(at)]);
}
