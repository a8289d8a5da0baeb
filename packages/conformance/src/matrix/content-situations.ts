import { range } from "../races/race.js";
import { holding, type Situation } from "./situation.js";

/** What the file holds. */
export const CONTENT_SITUATIONS: readonly Situation[] = [
  holding("text", ["A7"], "one\ntwo\nthree\n", "A text file of several lines."),
  holding("crlf", ["E4"], "one\r\ntwo\r\n\r\none more\r\n", "Line ends of two characters."),
  holding("mixed-ends", ["E4"], "one\ntwo\r\nthree\rfour\n\r\n", "Line ends of both kinds."),
  holding("no-final-newline", ["R2"], "one\ntwo", "Text after the last line end."),
  holding("byte-order-mark", ["R10"], "\ufeffone\ntwo\n", "A byte order mark is content."),
  holding("empty", ["R3"], "", "A file without a byte."),
  holding("blank", ["R1"], " \n\t\n\n", "A file of white space."),
  holding("unicode", ["W3"], "é😀 e\u0301 \u2028 日本\nzwei\n", "Characters of up to four bytes."),
  holding("dollars", ["E2"], "$& $1 $$ $`\n$'\n", "Replacement patterns."),
  holding("nul", ["R7"], Uint8Array.of(97, 10, 0, 98, 10), "A NUL byte makes a file binary."),
  holding(
    "invalid-utf8",
    ["R7"],
    Uint8Array.of(97, 10, 0xc3, 0x28, 10),
    "So does what is no UTF-8.",
  ),
  holding("binary", ["R6"], Uint8Array.from(range(256)), "Every byte there is.", "/d/a.bin"),
  holding(
    "media",
    ["R7"],
    "one\ntwo\n",
    "The extension of a picture makes a file binary, whatever it holds.",
    "/d/a.png",
  ),
  holding("media-capitals", ["R7", "R8"], "one\ntwo\n", "So do its capitals.", "/d/a.JPG"),
  holding("media-empty", ["R7", "R6"], "", "So it does where the file is empty.", "/d/e.gif"),
  holding(
    "drawing",
    ["R8", "S3"],
    "one\n<svg/>\n",
    "One kind of picture is text like any other.",
    "/d/a.svg",
  ),
  holding(
    "other-separators",
    ["R2", "S1"],
    "one\ftwo\vthree\u001cfour\u001dfive\u001esix\u0085seven\u2028eight\u2029nine\rten\ntwo\n",
    "Characters at which other software ends a line.",
  ),
  holding(
    "nul-late",
    ["R7", "S3"],
    `${"one\n".repeat(2500)}two\n\u0000\n`,
    "A NUL behind ten thousand characters of text.",
  ),
  holding(
    "cut-off-utf8",
    ["R7", "S3"],
    Uint8Array.of(97, 10, 98, 10, 0xe2, 0x82),
    "A character that the file ends within.",
  ),
  holding(
    "long-line",
    ["R1", "W3"],
    `${"x".repeat(70_000)}end\ntwo\n`,
    "A line of 70,000 characters.",
  ),
  holding(
    "many-lines",
    ["R1"],
    range(2100)
      .map((n) => (n % 4 === 0 ? "one\n" : `line number ${n}${n % 5 === 1 ? "\r" : ""}\n`))
      .join(""),
    "More lines than four pages, with many occurrences.",
  ),
];
