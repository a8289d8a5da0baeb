import fc from "fast-check";
import type { CaseContext } from "../engine/case-context.js";
import { show } from "../report/render.js";
import { pageOf } from "../eyes/tree.js";
import { editedByAll, linesOf } from "../model/text-rules.js";
import { CALLS } from "./generated-calls.js";

const WINDOW_TEXTS: readonly string[] = [
  "x",
  "one",
  "one\n",
  "one\ntwo",
  "one\ntwo\nthree\nfour\n",
  "\n",
  "\n\n\n",
  "one\r\n\r\ntwo",
  "a\rb\nc",
  "\ufeffé\n😀\u2028x\n\u0085y",
  "é\n日本\n😀",
  "😀😀\n\n\r",
  "a\n\r\n \n\t",
];

/** Numbers of lines around that of a page. */
const PAGES = [499, 500, 501, 502, 999, 1000, 1001, 1501];

/** Numbers of lines beyond any file, around those at which a whole number of 32 bits, or its sum with another, turns over. */
const BEYOND = [2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER];

/** R1, R3: limits and offsets that are larger than any file. */
async function beyond({ backend, check }: CaseContext, path: string, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (const count of BEYOND) {
    for (let offset = 0; offset < linesOf(text).length; offset++) {
      const result = await backend.read(path, offset, count);
      const what = `read of ${show(text)} from ${offset}, ${count} lines`;
      check.equal(result.content, pageOf(path, bytes, offset, count), what, "R1");
      check.equal(result.nextOffset, undefined, `'nextOffset' of ${what}`, "R2");
    }
    const past = await backend.read(path, count, 1);
    check.failed(past, "invalid_range", `read from line ${count}`, "R3");
  }
}

function numbered(lines: number): string {
  return Array.from({ length: lines }, (_, n) => `line ${n}\n`).join("");
}

/** R1: what a page is where the call does not say how long it is. */
async function defaultPages(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const paths = PAGES.map((lines) => `/pages/${lines}.txt`);
  await context.given(Object.fromEntries(paths.map((path, n) => [path, numbered(PAGES[n] ?? 0)])));
  for (const [n, path] of paths.entries()) {
    const total = PAGES[n] ?? 0;
    const lines = linesOf(numbered(total));
    for (const offset of [0, 1, 2, total - 501, total - 500, total - 499, total - 1]) {
      if (offset < 0) continue;
      const result = await (offset === 0 ? backend.read(path) : backend.read(path, offset));
      const what = `read of ${total} lines from ${offset}`;
      check.equal(result.content, lines.slice(offset, offset + 500).join(""), what, "R1");
      if (result.endLine !== undefined)
        check.equal(result.endLine, Math.min(total, offset + 500), `'endLine' of ${what}`, "R2");
      const next = offset + 500 < total ? offset + 500 : undefined;
      if (next === undefined || result.nextOffset !== undefined)
        check.equal(result.nextOffset, next, `'nextOffset' of ${what}`, "R2");
    }
  }
}

/** Every window of a few texts, against their lines. */
export async function windows(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  await defaultPages(context);
  await context.given(Object.fromEntries(WINDOW_TEXTS.map((text, n) => [`/${n}.txt`, text])));
  for (const [n, text] of WINDOW_TEXTS.entries()) {
    const total = linesOf(text).length;
    for (let offset = 0; offset < total; offset++) {
      for (let limit = 0; limit <= total - offset + 1; limit++) {
        const result = await backend.read(`/${n}.txt`, offset, limit);
        const what = `read of ${show(text)} from ${offset}, ${limit} lines`;
        check.equal(
          result.content,
          pageOf("/a.txt", new TextEncoder().encode(text), offset, limit),
          what,
          "R1",
        );
        if (limit === 0) continue;
        const end = Math.min(total, offset + limit);
        const expected = { totalLines: total, startLine: offset + 1, endLine: end };
        for (const [field, value] of Object.entries(expected)) {
          const given = result[field as "totalLines"];
          if (given !== undefined) check.equal(given, value, `'${field}' of ${what}`, "R2");
        }
        // Where the end is known, a page that is not the last says where the next begins.
        const next = result.nextOffset ?? (result.totalLines === undefined ? end : undefined);
        check.equal(
          end < total ? next : result.nextOffset,
          end < total ? end : undefined,
          `'nextOffset' of ${what}`,
          "R2",
        );
      }
    }
    await beyond(context, `/${n}.txt`, text);
    check.failed(
      await backend.read(`/${n}.txt`, total, 1),
      "invalid_range",
      "read past the end",
      "R3",
    );
  }
}

const PIECES = ["a", "aa", "ab", "b", "\n", "\r\n", " ", "$&", "é", "\ufeff", "a\nb", "x"];
const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 9 }).map((parts) => parts.join(""));
const edits = fc.record({
  content: text,
  steps: fc.array(
    fc.record({
      old: fc
        .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 2 })
        .map((parts) => parts.join("")),
      new: text,
      replaceAll: fc.boolean(),
    }),
    {
      minLength: 1,
      maxLength: 3,
    },
  ),
});

/** Line ends of every kind in what is looked for, what replaces it, and the file: all that E4 is about. */
const LINE_ENDS = ["\n", "\r\n", "\r"].flatMap((inFile) =>
  ["\n", "\r\n", "\r"].flatMap((inOld) =>
    [inFile, "\r\n"].map((other) => ({
      content: `a${inFile}b${inFile}c${other}a${other}b${other}`,
      steps: [
        { old: `a${inOld}b`, new: `1${inOld}2\n3`, replaceAll: true },
        { old: inOld, new: "", replaceAll: true },
      ],
    })),
  ),
);

/** Texts in which a replacement, or its neighbours with it, make what was looked for again. */
const BROUGHT_TOGETHER = [
  ["a\n\n\n\nb\n\n\n\n\nc", "\n\n", "\n"],
  ["aaaaa", "aa", "a"],
  ["aabbab", "ab", ""],
  ["abab", "ba", "ab"],
  ["one  two    three", "  ", " "],
  ["a\r\n\r\n\r\n\r\nb", "\n\n", "\n"],
].flatMap(([content = "", old = "", to = ""]) =>
  [true, false].map((replaceAll) => ({
    content,
    steps: [
      { old, new: to, replaceAll },
      { old, new: "!", replaceAll: true },
    ],
  })),
);

/** Texts that hold lines twice, under line ends of both kinds, and stretches that begin or end with a line end. */
const MIXED_ENDS = [
  "a\r\nb\r\nc\r\n",
  "a\nb\n--\r\na\r\nb\r\n",
  "a\r\nb\n--\na\r\nb\r\n",
  "\r\nb\r\n\r\nb\nc",
  "a\r\r\nb\r\nc\r",
].flatMap((content, n) =>
  ["\nb", "\nb\nc", "a\nb\n", "b\n", "\n\n", "\r\nb", "a\r\nb\r\n", "\nb\r\nc"].map((old, m) => ({
    content,
    steps: [
      { old, new: ["!", "", "1\n2"][m % 3] ?? "", replaceAll: (n + m) % 3 === 0 },
      { old: "c", new: "\nb", replaceAll: true },
    ],
  })),
);

/** Every text of up to four letters of two kinds, and what may be looked for in it: occurrences that touch and overlap. */
const SHORT = ["", "a", "b"].flatMap((first) =>
  ["a", "b", "\n"].flatMap((second) =>
    ["a", "b"].flatMap((third) =>
      ["a", "aa", "ab"].map((old, n) => ({
        content: `${first}${second}${third}${n === 1 ? "a" : ""}`,
        steps: [
          { old, new: n === 0 ? "" : `${old}!`, replaceAll: first === "b" },
          // What a replacement brings together is not looked at again (E2).
          { old: "aa", new: "a", replaceAll: true },
          { old: "a", new: "a", replaceAll: false },
        ],
      })),
    ),
  ),
);

/** Generated edits, against the plain definition of one. */
export async function editsAgainstTwin(
  context: CaseContext,
  method: "edit" | "multiEdit",
): Promise<void> {
  const { backend, check } = context;
  const generated = fc.sample(edits, { seed: context.seed, numRuns: CALLS[context.tier] });
  const sample = [...LINE_ENDS, ...MIXED_ENDS, ...BROUGHT_TOGETHER, ...SHORT, ...generated];
  await context.given(Object.fromEntries(sample.map(({ content }, n) => [`/e/${n}.txt`, content])));
  const expected: Record<string, string> = {};
  for (const [n, { content, steps }] of sample.entries()) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const path = `/e/${n}.txt`;
    const [only] = steps;
    if (only === undefined) continue;
    const used = method === "edit" ? [only] : steps;
    const twin = editedByAll(content, used);
    const result =
      method === "edit"
        ? await backend.edit(path, only.old, only.new, only.replaceAll)
        : await backend.multiEdit(path, used);
    const what = `${method} of ${show(content)} by ${show(used)}`;
    if ("code" in twin) check.failed(result, twin.code, what, "E1");
    else {
      check.succeeded(result, what, "E1");
      check.equal(result.occurrences, twin.occurrences, `'occurrences' of ${what}`, "E1");
    }
    expected[path] = "code" in twin ? content : twin.text;
    await context.holds({ [path]: expected[path] ?? "" }, backend, "E1");
  }
  await context.holds(expected, backend, "E1");
}
