import type { Dice } from "./dice.js";

/**
 * Names that careless code takes for one another, or for something else: what a query, a pattern, a replacement, an object, a
 * sort or a file system makes of them.
 */
const FAMILIES: readonly (readonly string[])[] = [
  ["a_b", "axb", "a-b", "a%b", "ab", "_", "%", "a_", "ab_"],
  ["a", "a-", "a.", "a0", "a!", "a b", "a~", "ab", "A"],
  ["A", "a", "README", "readme", "Readme.md", "X.TXT", "x.txt", "É", "é"],
  ["é", "e\u0301", "e", "Å", "\u212b", "A\u030a", "ﬁ", "fi"],
  ["[a]", "a", "b", "[!a]", "[a-c]", "]", "[", "a]"],
  ["{a,b}", "a", "b", "a,b", "{", "}", "{a", "{}"],
  ["*", "**x", "a*b", "aXb", "?", "b?c", "bc", "!a"],
  ["%41", "A", "%2F", "%2f", "a%20b", "a b", "+", "a+b", "%"],
  ["\\", "a\\b", "ab", "\\n", "n", "a\\", "\\*", "*"],
  ["$&", "$1", "a$&", "$", "${x}", "`x`", "$$", "x"],
  ["'", "''", '"', "a'b", "; --", "--", "-r", "--help", "@a"],
  ["__proto__", "constructor", "toString", "hasOwnProperty", "length", "then", "valueOf"],
  ["0", "00", "1", "10", "2", "-1", "1e3", "NaN", "null", "undefined", "true"],
  [".a", "a", "..a", "...", "a..", "a..b", ".a.txt", ". ", ".txt"],
  [" a", "a", "a ", " ", "\u00a0", "a\u3000", "\u200b", "\ufeffa", "\u2028"],
  ["😀", "\uff61", "\uffff", "z", "\u{10ffff}", "é", "日本", "👩‍👩‍👧", "\ufffd"],
  ["ß", "ss", "SS", "ẞ", "İ", "i", "i\u0307", "ı", "I", "ǅ"],
  ["x", "x.txt", "x.txt.bak", "x.txt~", "x.md", "x.", "xx", "x.tar.gz"],
  ["src", "src2", "src.ts", "src-old", "src.old", "srcsrc", "sr", "SRC"],
  ["n".repeat(255), "n".repeat(254), `${"é".repeat(127)}n`, `${"m".repeat(251)}.txt`, "n"],
  [":", "a:b", "a|b", "a#b", "a=b", "a&b", "a;b", "<a>", "^a", "a@b"],
  [".git", ".keep", ".tmp", ".lock", ".meta", "index", "_index", "tmp", "con", "nul", "files"],
  ["v1", "v10", "v2", "v1.0", "V1", "v", "1v", "v1-"],
];

/** Names that make a file binary, or only look as if. */
const ENDINGS = ["x.png", "x.PNG", "png", ".png", "x.png.txt", "x.svg", "x.pdf", "x.ts", "x"];

/** The names of one exploration: so few that they meet, and alike. */
export function namesOf(dice: Dice, media: boolean): readonly string[] {
  const families = media ? [...FAMILIES, ENDINGS] : FAMILIES;
  const some = (names: readonly string[], count: number): string[] =>
    Array.from({ length: count }, () => dice.pick(names));
  return [...some(dice.pick(families), 5), ...some(dice.pick(families), 4), "a", "b.txt"];
}

/** Endings that make a name look like another, or like what a tool leaves beside it. */
const SUFFIXES = ["~", ".bak", ".tmp", "0", " ", ".", "-", "!", "_", ".txt", "%", "\u0301", "a"];

/** A name that careless code takes for another one that is there. */
export function resemblingName(dice: Dice, name: string): string {
  switch (dice.below(8)) {
    case 0:
      return name.toUpperCase();
    case 1:
      return name.toLowerCase();
    case 2:
      return name.normalize("NFD");
    case 3:
      return name.normalize("NFC");
    case 4:
      return Array.from(name).slice(0, -1).join("") || "a";
    case 5:
      return `${dice.pick([".", "_", " ", "a", "-"])}${name}`;
    default:
      return name + dice.pick(SUFFIXES);
  }
}

/** Paths that are none (P2), made of one that is: each with what is wrong in it. */
export function brokenPath(dice: Dice, path: string): string {
  const names = path.split("/").slice(1);
  const at = dice.below(names.length);
  const withName = (name: string): string => `/${names.with(at, name).join("/")}`;
  const name = names[at] ?? "a";
  const cut = dice.below(name.length + 1);
  const insert = (text: string): string => withName(name.slice(0, cut) + text + name.slice(cut));
  switch (dice.below(9)) {
    case 0:
      return path.slice(1);
    case 1:
      return withName("..");
    case 2:
      return withName("~");
    case 3:
      return insert(String.fromCharCode(dice.pick([0, 1, 8, 9, 10, 13, 27, 31, 127])));
    case 4:
      return withName(dice.pick(["n".repeat(256), "é".repeat(128), `${"😀".repeat(63)}abcd`]));
    case 5:
      // At an end, where it cannot complete the other half of a pair.
      return withName(dice.once(2) ? `\ud83d${name}` : `${name}\ude00`);
    case 6:
      return `/..${path}`;
    case 7:
      return `.${path}`;
    default:
      return `${path}/..`;
  }
}
