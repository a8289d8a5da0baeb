import type { CaseContext } from "../../engine/case-context.js";
import type { Case } from "../case.js";
import { sizesWithin } from "./sizes-within.js";

const encoder = new TextEncoder();

/** Where blocks, pages and parts of storages end, and what is compressed or kept outside of a row from there on, in bytes. */
const BORDERS = [64, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072];
const FIRST = "\ufeffneedle, after a mark";
const LAST = "needle, before what ends no line";
const LINE = "between\n";
/** Lines of a page that holds all of a file. */
const ALL = 100_000;

/** A text of exactly so many bytes: a byte order mark, both kinds of line ends, and a last line that ends with a lone `\r`. */
function textOf(size: number): string {
  const head = `${FIRST}\r\n`;
  const tail = `${LAST}\r`;
  const room = size - encoder.encode(head + tail).length;
  return `${head}${LINE.repeat(Math.floor(room / LINE.length))}${"-".repeat(room % LINE.length)}${tail}`;
}

/** R1, R2, R9, R10, S2: a text of any size is what was stored, from its first character to its last. */
async function wholeAtEverySize(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const sizes = sizesWithin(
    context,
    BORDERS.flatMap((border) => [border, border + 1]),
  );
  const files = Object.fromEntries(sizes.map((size) => [`/${size}.txt`, textOf(size)]));
  await context.given(files);
  for (const [path, text] of Object.entries(files)) {
    const lines = text.split("\n");
    const last = lines.at(-1) ?? "";
    const whole = await backend.read(path, 0, ALL);
    check.equal(whole.content, text, `What read gives of ${path}`, "R1");
    const page = await backend.read(path, lines.length - 1, ALL);
    check.equal(page.content, last, `The last line of ${path}`, "R1");
    const behind = await backend.read(path, lines.length, 1);
    check.failed(behind, "invalid_range", `read behind the last line of ${path}`, "R3");
    const { data } = await backend.readRaw(path);
    check.equal(data?.content, text, `What readRaw gives of ${path}`, "R9");
    const { matches } = await backend.grep("needle", path);
    check.equal(
      matches?.map((match) => [match.line, match.text]),
      [
        [1, FIRST],
        [lines.length, last.slice(0, -1)],
      ],
      `The lines that grep finds in ${path}`,
      "S2",
    );
  }
  await context.holds(files);
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
