import type { CaseContext } from "../../engine/case-context.js";
import type { Case } from "../case.js";
import { sizesWithin } from "./sizes-within.js";

const encoder = new TextEncoder();

/** Where blocks, pages and parts of storages end, and what is compressed or kept outside of a row from there on, in bytes. */
const BORDERS = [64, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072];
const FIRST = "\ufeffneedle, after a mark";
const LAST = "needle, before what ends no line";
/** Lines of a page that holds all of a file. */
const ALL = 100_000;

interface Text {
  readonly path: string;
  readonly text: string;
  readonly lines: number;
}

/** A text of exactly so many bytes: a byte order mark, both kinds of line ends, and a last line that ends with a lone `\r`. */
function textOf(size: number): Text {
  const head = `${FIRST}\r\n`;
  const tail = `${LAST}\r`;
  const room = size - encoder.encode(head + tail).length;
  const filled = "between\n".repeat(Math.floor(Math.max(0, room) / 8));
  const rest = room - filled.length;
  const text = `${head}${filled}${"-".repeat(Math.max(0, rest))}${tail}`;
  return { path: `/${size}.txt`, text, lines: text.split("\n").length };
}

/** R1, R2, R9, R10, S2: a text of any size is what was stored, from its first character to its last. */
async function wholeAtEverySize(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const sizes = sizesWithin(
    context,
    BORDERS.flatMap((border) => [border, border + 1]),
  );
  const texts = sizes.map(textOf);
  await context.given(Object.fromEntries(texts.map(({ path, text }) => [path, text])));
  for (const { path, text, lines } of texts) {
    const whole = await backend.read(path, 0, ALL);
    check.equal(whole.content, text, `What read gives of ${path}`, "R1");
    const last = await backend.read(path, lines - 1, ALL);
    check.equal(
      last.content,
      text.slice(text.lastIndexOf("\n") + 1),
      `The last line of ${path}`,
      "R1",
    );
    check.failed(
      await backend.read(path, lines, 1),
      "invalid_range",
      `read behind the last line of ${path}`,
      "R3",
    );
    const { data } = await backend.readRaw(path);
    check.equal(data?.content, text, `What readRaw gives of ${path}`, "R9");
    const { matches } = await backend.grep("needle", path);
    check.equal(
      matches?.map((match) => [match.line, match.text]),
      [
        [1, FIRST],
        [lines, text.slice(text.lastIndexOf("\n") + 1, -1)],
      ],
      `The lines that grep finds in ${path}`,
      "S2",
    );
  }
  await context.holds(Object.fromEntries(texts.map(({ path, text }) => [path, text])));
}

/** Texts, from their first character to their last. */
export const wholeTextCases: readonly Case[] = [
  {
    id: "encoding/whole-at-every-size",
    rules: ["R1", "R2", "R3", "R9", "R10", "S2"],
    level: "core",
    needs: [],
    patience: 2,
    why: "A text that ends where a block does, or a byte behind it, is read to its end, with its mark and its last carriage return.",
    hint: "What is compressed, cut or kept elsewhere from some size on is decoded by the same decoder: `ignoreBOM: true`. An answer of no more bytes is an end.",
    run: wholeAtEverySize,
  },
];
