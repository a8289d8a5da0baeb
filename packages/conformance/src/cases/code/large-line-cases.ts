import type { CaseContext } from "../../engine/case-context.js";
import type { Case } from "../case.js";
import { sizesWithin } from "./sizes-within.js";

const encoder = new TextEncoder();

/** Bytes from which storages take another way: above a block of the disk, a part, a page, a cache. */
const SIZES = [5_000, 70_000, 300_000, 1_100_000];

/** Lines of which each holds what some readers of lines end one at, or take away. All of them end with `\n`. */
const ODD_LINES = [
  "step 1%\rstep 50%\rstep 100%\n",
  "a line separator\u2028within\n",
  "a paragraph separator\u2029within\n",
  "a next line\u0085within\n",
  "a form feed\fand a vertical tab\v within\n",
  "file\u001cgroup\u001drecord\u001eseparators\n",
  "\ufeffwith a byte order mark\n",
  "with the line end of another system\r\n",
  "\r\n",
  "\n",
  "\r\r\n",
  " blanks at both ends \t\n",
  "😀é\n",
];
const ROUND = ODD_LINES.join("");
const ROUND_BYTES = encoder.encode(ROUND).length;
const LAST = "the end $& \r of it";
/** Bytes that a file has at most beyond its size: the rest of a round, the last line, and what the edit adds. */
const BEYOND = ROUND_BYTES + 100;

/** R1, R2, S2, E2: lines are those that `\n` ends, in a file of whatever size. */
async function oddLines(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  for (const size of sizesWithin(context, SIZES, (bytes) => bytes + BEYOND)) {
    if (context.signal.aborted) return;
    const path = `/lines-${size}.log`;
    const rounds = Math.ceil(size / ROUND_BYTES);
    const lines = [...Array.from({ length: rounds }, () => ODD_LINES).flat(), LAST];
    await context.given({ [path]: lines.join("") });
    const middle = Math.floor(lines.length / 2);
    for (const offset of [0, 1, middle, lines.length - 20]) {
      const { content, startLine, endLine, totalLines, nextOffset } = await backend.read(
        path,
        offset,
        15,
      );
      const what = `15 lines after ${offset} of ${size} bytes`;
      check.equal(content, lines.slice(offset, offset + 15).join(""), what, "R1");
      const expected = { startLine: offset + 1, endLine: offset + 15, totalLines: lines.length };
      for (const [name, given] of Object.entries({ startLine, endLine, totalLines }))
        if (given !== undefined)
          check.equal(given, expected[name as keyof typeof expected], `${name} of ${what}`, "R2");
      if (nextOffset !== undefined)
        check.equal(nextOffset, offset + 15, `nextOffset of ${what}`, "R2");
    }
    const matches = (await backend.grep("the end", path)).matches?.map(({ line, text }) => [
      line,
      text,
    ]);
    check.equal(matches, [[lines.length, LAST]], `What grep finds in ${size} bytes`, "S2");
    // `$&` stands for itself, and a lone `\r` is no line end.
    const edited = await backend.edit(path, "$& \r of", "$$ $1 $& \r");
    check.succeeded(edited, `edit of ${size} bytes`, "E1");
    const after = lines.join("").replace("$& \r of", () => "$$ $1 $& \r");
    await context.holds({ [path]: after }, backend, "E2");
  }
}

/** Characters of lines that a search may cut: it shows each whole, as a match and beside one. */
const LINE_LENGTHS = [1000, 5000, 9000, 40_000, 70_000];

/** S1, S2, S8: a long line is searched to its end in every way of searching, and is shown whole, beside a match too. */
async function longLines(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  for (const length of sizesWithin(context, LINE_LENGTHS, (bytes) => 3 * bytes)) {
    const path = `/long-${length}.txt`;
    const long = `${"-".repeat(length)}Needle`;
    const around = "=".repeat(length);
    await context.given({ [path]: `${around}\n${long}\n${around}\nshort needle\n` });
    type Search = readonly [pattern: string, options: object, line: number];
    const searches: Search[] = [
      ["-Needle", {}, 2],
      ["-NEEDLE", { ignoreCase: true }, 2],
      ["t needle", { before: 3, after: 3 }, 4],
      ["-Needle", { before: 1, after: 1 }, 2],
      ...(profile.regex
        ? ([
            ["-Needle$", { regex: true }, 2],
            ["-needle$", { regex: true, ignoreCase: true, before: 1 }, 2],
          ] as const)
        : []),
    ];
    const lines = [around, long, around, "short needle"];
    for (const [pattern, options, line] of searches) {
      const { before = 0, after = 0 } = options as { before?: number; after?: number };
      const { matches } = await backend.grep(pattern, path, null, null, options);
      const what = `of grep(${JSON.stringify(pattern)}, ${JSON.stringify(options)}) beside ${length} characters`;
      check.equal(
        matches?.map((match) => match.line),
        [line],
        `The lines ${what}`,
        "S1",
      );
      const [match] = matches ?? [];
      check.equal(match?.text, lines[line - 1], `The text ${what}`, "S2");
      const shown = lines.slice(Math.max(0, line - 1 - before), line - 1);
      if (before > 0) check.equal(match?.before ?? [], shown, `The lines before ${what}`, "S8");
      const rest = lines.slice(line, line + after);
      if (after > 0) check.equal(match?.after ?? [], rest, `The lines after ${what}`, "S8");
    }
  }
}

/** Lines of files for which a backend may have another way. */
export const largeLineCases: readonly Case[] = [
  {
    id: "scale/odd-lines",
    rules: ["R1", "R2", "S2", "E1", "E2"],
    level: "core",
    needs: [],
    patience: 2,
    why: "A line ends with '\\n' and nothing else in a file of any size: pages, line numbers, totals, matches and edits are those of a small one.",
    hint: "Readers of lines, as node:readline, also end them at a lone '\\r' or at U+2028: look for the byte 0x0A.",
    run: oddLines,
  },
  {
    id: "scale/long-lines-in-every-search",
    rules: ["S1", "S2", "S8"],
    level: "core",
    needs: [],
    why: "A long line is searched to its end, in any case and by an expression too, and is shown whole, beside a match too.",
    hint: "A bound on how much of a line is looked at, or kept, is a bound on what is found.",
    run: longLines,
  },
];
