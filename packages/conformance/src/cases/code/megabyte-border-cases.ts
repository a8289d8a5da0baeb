import type { CaseContext } from "../../engine/case-context.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";
import { sizesWithin } from "./sizes-within.js";

const MEBIBYTE = 2 ** 20;
const LINE_BYTES = 64;
/** Bytes of a file: beyond what is searched, copied or sent at once, one line more than whole chunks, and less where a file may hold less. */
const SIZES = [11, 5, 1, 1 / 4, 1 / 16].map((mebibytes) => mebibytes * MEBIBYTE + LINE_BYTES);
/** Where chunks end: a line does too, as each has a number of bytes that divides them. */
const BORDERS = [1 / 4, 1, 2, 4, 5, 8, 10].map((mebibytes) => mebibytes * MEBIBYTE);

function lineOf(n: number, word: string): string {
  return `${word} ${n} `.padEnd(LINE_BYTES - 1, "-").concat("\n");
}

/** The numbers of the lines that end and begin at a border, and of the last one. */
function linesAtBorders(count: number): number[] {
  const atBorders = BORDERS.flatMap((border) => [border / LINE_BYTES - 1, border / LINE_BYTES]);
  return [...atBorders.filter((n) => n < count - 1), count - 1];
}

async function atEveryBorder(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const [size = 0] = sizesWithin(context, SIZES);
  const count = size / LINE_BYTES;
  const borders = linesAtBorders(count);
  const lines = range(count).map((n) => lineOf(n, borders.includes(n) ? "border" : "other"));
  const path = "/d/large.txt";
  await context.given({ [path]: lines.join("") });

  const { matches } = await backend.grep("border");
  const found = matches?.map(({ line, text }) => `${line}: ${text}\n`);
  const expected = borders.map((n) => `${n + 1}: ${lines[n]}`);
  check.equal(found, expected, "What grep finds in megabytes", "S1");
  for (const n of borders) {
    const { content } = await backend.read(path, n, 2);
    const page = lines.slice(n, n + 2).join("");
    check.equal(content, page, `Two lines from offset ${n} of ${count}`, "R1");
  }

  const edits = borders.map((n) => [lineOf(n, "border"), lineOf(n, "edited")] as const);
  const last = edits.at(-1) ?? (["", ""] as const);
  check.succeeded(await backend.edit(path, ...last), "an edit of the last line", "E1");
  lines[count - 1] = last[1];
  await context.holds({ [path]: lines.join("") }, backend, "E1");
  if (!profile.copy) return;
  check.succeeded(await backend.copy(path, "/copy.txt"), "a copy of megabytes", "M1");
  await context.holds({ "/copy.txt": lines.join("") }, backend, "M1");
  const listed = (await backend.ls("/")).files?.find((file) => file.path === "/copy.txt");
  check.equal(listed?.size, size, "The listed size of the copy", "L2");
}

/** Lines of a file that all match: more than a function takes as arguments. */
const MATCHES = [150_000, 10_000];

async function everyLineMatches(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const [count = 0] = sizesWithin(context, MATCHES, (lines) => 2 * lines);
  await context.given({ "/a.txt": "x\n".repeat(count) });
  const { matches, truncated, error } = await backend.grep("x");
  check.equal(error, undefined, `The error of a search with ${count} matches`, "S1");
  if (truncated !== true || matches?.length === count) {
    const found = [matches?.length, matches?.at(-1)?.line];
    check.equal(found, [count, count], "How many lines are found, and the last of them", "S1");
  }
  const edited = await backend.edit("/a.txt", "x", "y", true);
  check.equal(edited.occurrences, count, "The occurrences that an edit replaces", "E1");
  await context.holds({ "/a.txt": "y\n".repeat(count) }, backend, "E1");
}

/** R7, E6: a file is text as a whole, also where what is none comes behind megabytes of it. */
async function noTextAtTheEnd(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  for (const size of sizesWithin(context, [MEBIBYTE + 100, MEBIBYTE / 16 + 100])) {
    const bytes = new Uint8Array(size).fill(0x61);
    bytes.set([0x62, 0x0a]);
    for (const [n, end] of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0]].entries()) {
      const path = `/${size}/${n}.log`;
      bytes.set(end, size - end.length);
      await context.given({ [path]: bytes });
      const edited = await backend.edit(path, "b", "c");
      check.failed(edited, "not_text", `an edit of text that ends in ${end.join(" ")}`, "E6");
      await context.holds({ [path]: bytes }, backend, "E6");
      bytes.fill(0x61, size - end.length);
    }
  }
}

/** Sizes at which authors cut, or look no further. */
export const megabyteBorderCases: readonly Case[] = [
  {
    id: "scale/at-every-border",
    rules: ["S1", "R1", "E1", "M1", "L2"],
    level: "core",
    needs: [],
    patience: 3,
    why: "A text of eleven megabytes is found, read, edited and copied whole, also where a line ends with a chunk.",
    hint: "A file that is too large to be searched is said in 'warnings'. A line end that is the last byte of a chunk belongs to that chunk alone.",
    run: atEveryBorder,
  },
  {
    id: "scale/every-line-matches",
    rules: ["S1", "E1"],
    level: "core",
    needs: [],
    patience: 3,
    why: "A file with more matching lines than a function takes as arguments is searched and edited whole.",
    hint: "`all.push(...found)` overflows the stack for some 120,000 entries: add them one by one.",
    run: everyLineMatches,
  },
  {
    id: "scale/no-text-at-the-end",
    rules: ["E6", "R7"],
    level: "core",
    needs: ["transfer", "content=bytes"],
    patience: 2,
    why: "A file is no text either where only its last bytes are none.",
    hint: "Decode all of a file with fatal: true before it is edited; its first kilobytes say nothing of the rest.",
    run: noTextAtTheEnd,
  },
];
