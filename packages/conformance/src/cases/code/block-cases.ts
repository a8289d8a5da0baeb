import type { CaseContext } from "../../engine/case-context.js";
import type { Case } from "../case.js";
import { sizesWithin } from "./sizes-within.js";

const encoder = new TextEncoder();

/** Where reads, chunks, pages and parts of common storages and programs end, in bytes. */
const BORDERS = [4096, 8192, 16_384, 32_768, 65_536, 131_072, 262_144];
const LINE = "what lies between the places that count, sixty-four bytes long.\n";
const NEEDLE = "<née dle>";
/** Bytes of the needle before the border, which falls into its two-byte character. */
const BEFORE = 3;

/** Lines of text up to a border, the needle across it, and lines after it. */
function acrossBorder(border: number): string {
  const lines = Math.floor((border - BEFORE) / LINE.length);
  const rest = "-".repeat(border - BEFORE - lines * LINE.length);
  return `${LINE.repeat(lines)}${rest}${NEEDLE} ends here\n${LINE}`;
}

/** The same in one line. */
function inOneLine(border: number): string {
  return `${"-".repeat(border - BEFORE)}${NEEDLE}${"-".repeat(100)}\n`;
}

/** The files that fit, by path: their border and their text. */
function filesOf(context: CaseContext): Map<string, readonly [border: number, text: string]> {
  const files = BORDERS.flatMap((border) => [
    [`/lines/${border}.txt`, [border, acrossBorder(border)]] as const,
    [`/line/${border}.txt`, [border, inOneLine(border)]] as const,
  ]);
  const bytesOf = ([, [, text]]: (typeof files)[number]): number =>
    encoder.encode(text).length + NEEDLE.length;
  return new Map(sizesWithin(context, files, bytesOf));
}

/** S1 and R1: what crosses a border is found, and read as it is. */
async function found(context: CaseContext): Promise<void> {
  const files = filesOf(context);
  const { backend, check } = context;
  await context.given(Object.fromEntries([...files].map(([path, [, text]]) => [path, text])));
  const lineOf = (text: string): number => text.slice(0, text.indexOf(NEEDLE)).split("\n").length;
  const lines = [...files].map(([path, [, text]]) => ({ path, line: lineOf(text), text }));
  const { matches } = await backend.grep(NEEDLE);
  check.equal(
    matches?.map(({ path, line }) => `${path}:${line}`),
    lines.toSorted((a, b) => (a.path < b.path ? -1 : 1)).map(({ path, line }) => `${path}:${line}`),
    "The lines that grep finds, each across a border of the file's bytes",
    "S1",
  );
  for (const { path, line, text } of lines) {
    const page = await backend.read(path, line - 1, 1);
    check.equal(page.content, `${text.split("\n")[line - 1]}\n`, `Line ${line} of ${path}`, "R1");
  }
}

/** E1 and E2: a text is unique in the whole file, not in its first part. */
async function edited(context: CaseContext): Promise<void> {
  const files = filesOf(context);
  const { backend, check } = context;
  for (const [path, [border, text]] of files) {
    const twice = `${NEEDLE} begins\n${text}`;
    await context.given({ [path]: twice });
    const what = `edit of a text that comes first and again after ${border} bytes`;
    check.failed(await backend.edit(path, NEEDLE, "new"), "not_unique", what, "E1");
    await context.holds({ [path]: twice }, backend, "E1");
    const all = await backend.edit(path, NEEDLE, "<new>", true);
    check.equal(all.occurrences, 2, `'occurrences' of both, ${border} bytes apart`, "E2");
    const once = twice.replaceAll(NEEDLE, "<new>");
    await context.holds({ [path]: once }, backend, "E2");
    const last = await backend.edit(path, once.slice(-80), "the end\n");
    check.succeeded(last, `edit of the end, ${border} bytes down`, "E1");
    await context.holds({ [path]: `${once.slice(0, -80)}the end\n` }, backend, "E1");
  }
}

/** What could begin again before it ends, and what its run is made of. */
const OVERLAPPING: ReadonlyArray<readonly [old: string, unit: string]> = [
  ["aaa", "a"],
  ["aba", "ab"],
  ["xyxyx", "xy"],
];

/** E1: occurrences that could overlap are counted from the left, over every border. */
async function overlapping(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const borders = sizesWithin(context, BORDERS, (border) => 2 * border + 10);
  for (const [n, [old, unit]] of OVERLAPPING.entries())
    for (const border of n === 0 ? borders : borders.slice(0, 2)) {
      const path = `/${n}/${border}.txt`;
      const text = `${unit.repeat(Math.ceil((border + 100) / unit.length))}\n`;
      await context.given({ [path]: text });
      const all = await backend.edit(path, old, "<>", true);
      const what = `'occurrences' of ${JSON.stringify(old)} in a run of ${text.length} characters`;
      check.equal(all.occurrences, text.split(old).length - 1, what, "E1");
      await context.holds({ [path]: text.split(old).join("<>") }, backend, "E2");
    }
}

/** Smaller places: the sectors of a disk, and what rows of a table hold. */
const ENDS = [512, 1024, 2048, ...BORDERS];

/** The ends that fit into a file of the storage, with so many bytes behind them. */
function endsThatFit(context: CaseContext, behind: number): number[] {
  return sizesWithin(context, ENDS, (end) => end + behind);
}

/** E1, R9, T1: a content that becomes shorter, to where a block ends, ends there. */
async function cut(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const tail = "what was behind the end of the block before\n".repeat(20);
  const ends = endsThatFit(context, tail.length);
  const all = (textOf: (kept: string) => string): Record<string, string> =>
    Object.fromEntries(
      ends.map((end) => [`/${end}.txt`, textOf(LINE.repeat(end / LINE.length))] as const),
    );
  const kept = all((text) => text);
  await context.given(all((text) => text + tail));
  for (const [path, text] of Object.entries(kept)) {
    check.succeeded(await backend.edit(path, tail, ""), `edit that leaves ${path}`, "E1");
    const { data } = await backend.readRaw(path);
    check.equal(data?.content, text, `What readRaw gives of ${path}`, "R9");
  }
  await context.holds(kept, backend, "E1");
  if (!profile.transfer) return;
  // Replaced whole: by a longer one, by one that ends with the block, by a byte more, and again.
  for (const files of [
    all((text) => text + tail),
    all((text) => text.toUpperCase()),
    all((text) => `${text}x`),
    kept,
  ]) {
    const entries = Object.entries(files);
    const answers = await backend.uploadFiles(
      entries.map(([path, text]) => [path, encoder.encode(text)]),
    );
    for (const { error } of answers) check.equal(error, null, "The error of an upload", "T1");
    await context.holds(files, backend, "T1");
  }
}

/** S2 and R1: a line end of two characters that a border parts is one line end. */
async function parted(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const hit = "hit ";
  const files = new Map(
    endsThatFit(context, 100).map((end) => {
      // Its \r is the last byte before the border.
      const lines = Math.floor((end - hit.length - 1) / LINE.length);
      const rest = "-".repeat(end - hit.length - 1 - lines * LINE.length);
      const text = `${LINE.repeat(lines)}${rest}${hit}\r\nrest\r\n`;
      return [`/${end}.txt`, { text, line: lines + 1, found: `${rest}${hit}` }] as const;
    }),
  );
  await context.given(Object.fromEntries([...files].map(([path, { text }]) => [path, text])));
  const { matches } = await backend.grep(hit);
  const expected = [...files].map(([path, { line, found: text }]) => ({ path, line, text }));
  check.equal(
    matches?.map(({ path, line, text }) => ({ path, line, text })),
    expected.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    "The lines that grep finds, with a border of the file's bytes in their line end",
    "S2",
  );
  for (const [path, { line, found: text }] of files) {
    const page = await backend.read(path, line - 1, 1);
    check.equal(page.content, `${text}\r\n`, `Line ${line} of ${path}`, "R1");
    check.equal(page.totalLines ?? line + 1, line + 1, `'totalLines' of ${path}`, "R2");
  }
}

/** Contents across the places where the parts of a file meet. */
export const blockCases: readonly Case[] = [
  {
    id: "scale/found-across-borders",
    rules: ["S1", "R1"],
    level: "core",
    needs: [],
    why: "A match that lies across the end of a block, a chunk or a part of the file is found, and its line read whole.",
    hint: "Who searches a file in pieces carries the last line of each over to the next, as bytes: a border may split a character.",
    run: found,
  },
  {
    id: "scale/edited-across-borders",
    rules: ["E1", "E2"],
    level: "core",
    needs: [],
    why: "An edit looks at the whole file for its text, however far down it comes again.",
    hint: "Count occurrences to the end, or to the second one.",
    run: edited,
  },
  {
    id: "scale/overlapping-across-borders",
    rules: ["E1", "E2"],
    level: "core",
    needs: [],
    why: "Occurrences that could overlap count from the left to the right of the whole file.",
    hint: "Where a file is looked at in pieces, an occurrence that crosses their border takes its part of the next piece with it.",
    run: overlapping,
  },
  {
    id: "scale/cut-at-borders",
    rules: ["E1", "R9", "T1"],
    level: "core",
    needs: [],
    patience: 2,
    why: "A content that is replaced by a shorter one, whose last byte fills a block, ends there.",
    hint: "Remove what is left of the content before: from the block on that follows the last byte, not the one after.",
    run: cut,
  },
  {
    id: "scale/line-end-across-borders",
    rules: ["S2", "R1", "R2"],
    level: "core",
    needs: [],
    why: "A `\\r\\n` that lies across the end of a block is one line end.",
    hint: "Take the \\r away where the line is whole, not where its piece is.",
    run: parted,
  },
];
