import type { CaseContext } from "../../engine/case-context.js";
import { NotApplicable } from "../../engine/check-failure.js";
import type { Answered } from "../../engine/checker.js";
import { range } from "../../races/race.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";

function mentions(
  { check }: CaseContext,
  answer: Answered,
  [text, what, rule]: readonly [text: string, what: string, rule: string],
): void {
  const said = String(answer.error);
  check.that(
    // A number is said whole: 2 is not in 25.
    new RegExp(String.raw`(?<!\d)${text.replaceAll(/[()]/g, String.raw`\$&`)}(?!\d)`).test(said),
    `The error of ${what} should mention ${show(text)}, but it says ${show(said)}.`,
    rule,
  );
}

/** R3: the count of lines, by R2. */
async function countOfLines(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const texts: ReadonlyArray<readonly [text: string, lines: number]> = [
    ["a\nb\nc\nd\ne\nf\ng", 7],
    ["a\nb\nc\nd\ne\nf\ng\n", 7],
    ["a\r\nb\r\nc", 3],
    ["a\r\nb\r\nc\r\n", 3],
    ["\n\n\n\n", 4],
    ["a\rb\u2028c", 1],
    ["line\n".repeat(700), 700],
    [`${"line\n".repeat(1234)}last`, 1235],
  ];
  for (const [n, [text, lines]] of texts.entries()) {
    // No digit in the path, which the sentence names too.
    const path = `/${"t".repeat(n + 1)}.txt`;
    await context.given({ [path]: text });
    for (const offset of [lines, lines + 1, lines + 90]) {
      const answer = await backend.read(path, offset, 10);
      const what = `read of ${lines} lines from offset ${offset}`;
      check.failed(answer, "invalid_range", what, "R3");
      mentions(context, answer, [String(lines), what, "R3"]);
    }
  }
}

/** E5: how often, however often. */
async function countOfOccurrences(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  for (const [n, count] of [2, 3, 9, 11, 25, 101, 1203].entries()) {
    const path = `/${"n".repeat(n + 1)}.txt`;
    await context.given({ [path]: "same\n".repeat(count) });
    const what = `edit of what is there ${count} times`;
    const answers = [await backend.edit(path, "same", "other")];
    if (profile.multiEdit)
      answers.push(await backend.multiEdit(path, [{ old: "same", new: "other" }]));
    for (const answer of answers) {
      check.failed(answer, "not_unique", what, "E5");
      mentions(context, answer, [String(count), what, "E5"]);
    }
  }
}

/** E5, R2: the numbers are those of the lines that read counts. */
async function numbersOfLines(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const texts = [
    "a\rb\rc\nsame\nd\nsame\n",
    "a\u2028b\u2029c\nsame\nd\u0085e\nsame\n",
    "a\u000bb\u000cc\r\nsame\r\nd\r\nsame\r\n",
    "a\nsame\nb\nsame",
  ];
  for (const [n, text] of texts.entries()) {
    const path = `/${"l".repeat(n + 1)}.txt`;
    await context.given({ [path]: text });
    const what = `edit of what is in lines 2 and 4 of ${show(text)}`;
    const answer = await backend.edit(path, "same", "other");
    check.failed(answer, "not_unique", what, "E5");
    for (const line of ["2", "4"]) mentions(context, answer, [line, what, "E5"]);
    for (const wrong of ["6", "7", "8"])
      check.that(
        !new RegExp(String.raw`(?<!\d)${wrong}(?!\d)`).test(String(answer.error)),
        `The error of ${what} should not mention ${wrong}, but it says ${show(answer.error)}.`,
        "E5",
      );
  }
}

/** E5: an occurrence is in the line in which it begins, also where it begins with the end of that line. */
async function fromTheEndOfLines(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const text = `${"x\n".repeat(11)}same\n${"x\n".repeat(9)}y\nsame\n`;
  await context.given({ "/a.txt": text });
  const what = "edit of a line end and a text, which begin in lines 11 and 22";
  const answer = await backend.edit("/a.txt", "\nsame", "other");
  check.failed(answer, "not_unique", what, "E5");
  for (const line of ["11", "22"]) mentions(context, answer, [line, what, "E5"]);
}

/** A6: a refusal of a call with two paths names the one that it is about, as it was written. */
async function pathsAsWritten(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const methods = (["move", "copy"] as const).filter((method) => profile[method]);
  if (methods.length === 0) throw new NotApplicable("the profile has move: false and copy: false");
  await context.given({ "/a.txt": "a", "/d/b.txt": "b", "/e/f/g.txt": "g" });
  for (const method of methods) {
    const refused: ReadonlyArray<readonly [from: string, to: string, code: string, named: string]> =
      [
        ["/a.txt", "//d//b.txt", "already_exists", "//d//b.txt"],
        ["/a.txt", "/d/./b.txt", "already_exists", "/d/./b.txt"],
        ["/e", "/d//", "already_exists", "/d//"],
        ["//missing//x.txt", "/new.txt", "not_found", "//missing//x.txt"],
      ];
    for (const [from, to, code, named] of refused) {
      const what = `${method} of ${show(from)} to ${show(to)}`;
      const answer = await backend[method](from, to);
      check.failed(answer, code, what, "A6");
      check.that(
        String(answer.error).includes(named),
        `The error of ${what} should name ${show(named)}, but it says ${show(answer.error)}.`,
        "A6",
      );
    }
  }
}

/** R2: how many lines there are after an edit that makes more of them, or fewer. */
async function linesAfterEdits(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const whole = "x;y;z\nx\nx;\n";
  const edits: ReadonlyArray<readonly [old: string, to: string, all: boolean]> = [
    ["x", "x\nx", true],
    ["\n", "\n\n", true],
    [";", ";\n", true],
    ["x\nx;\n", "", false],
    ["\n", "", true],
    ["y", "1\r\n2\r\n3", false],
  ];
  for (const [n, [old, to, all]] of edits.entries())
    for (const method of profile.multiEdit ? ["edit", "multiEdit"] : ["edit"]) {
      const path = `/${method}/${n}.txt`;
      await context.given({ [path]: whole });
      await backend.read(path);
      const answer =
        method === "edit"
          ? await backend.edit(path, old, to, all)
          : await backend.multiEdit(path, [{ old, new: to, replaceAll: all }]);
      const what = `after ${method} of ${show(old)} to ${show(to)}`;
      check.succeeded(answer, method, "E1");
      const text = all ? whole.split(old).join(to) : whole.replace(old, () => to);
      const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
      for (const [at, line] of lines.entries()) {
        const page = await backend.read(path, at, 1);
        check.equal(page.content, line, `Line ${at + 1} ${what}`, "R1");
        if (page.totalLines !== undefined)
          check.equal(page.totalLines, lines.length, `'totalLines' ${what}`, "R2");
        if (page.nextOffset !== undefined || at === lines.length - 1)
          check.equal(
            page.nextOffset,
            at + 1 < lines.length ? at + 1 : undefined,
            `'nextOffset' of line ${at + 1} ${what}`,
            "R2",
          );
      }
      check.failed(
        await backend.read(path, Math.max(1, lines.length), 1),
        "invalid_range",
        `read past the end ${what}`,
        "R3",
      );
    }
}

/** E5: what is closest, wherever it is. */
async function closestAnywhere(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const close = "export function parseConfiguration(input) {";
  for (const at of [0, 499, 500, 650, 998]) {
    const lines = range(1000).map((n) => (n === at ? close : String(n)));
    const path = `/at${at}.ts`;
    await context.given({ [path]: lines.join("\n") });
    const old = close.replace("input", "text");
    const what = `edit of almost line ${at + 1}`;
    const answers = [await backend.edit(path, old, "x")];
    if (profile.multiEdit) answers.push(await backend.multiEdit(path, [{ old, new: "x" }]));
    for (const answer of answers) {
      check.failed(answer, "no_match", what, "E5");
      mentions(context, answer, ["parseConfiguration(input)", what, "E5"]);
    }
  }
}

/** E5: of many lines that resemble the text, the one that resembles it most is shown. */
async function closestOfMany(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const near = range(40).map((n) => `hello world, number ${"abcdefghij"[n % 10]}${n} thing\n`);
  for (const at of [0, 5, 39]) {
    const path = `/closest${at}.txt`;
    await context.given({
      [path]: near.toSpliced(at, 0, "hello world, ten green things!\n").join(""),
    });
    const what = `edit of almost line ${at + 1} among lines that resemble it too`;
    const answer = await backend.edit(path, "hello world, ten green thingz!", "x");
    check.failed(answer, "no_match", what, "E5");
    mentions(context, answer, ["ten green things!", what, "E5"]);
  }
}

/** What an error tells besides its code, because the caller's next step depends on it. */
export const sentenceCases: readonly Case[] = [
  {
    id: "read/count-of-lines",
    rules: ["R3", "R2"],
    level: "core",
    needs: [],
    why: "The refusal of an offset past the end says how many lines there are, whether the last one ends in a newline or not.",
    hint: "Count lines, not newlines.",
    run: countOfLines,
  },
  {
    id: "edit/count-of-occurrences",
    rules: ["E5"],
    level: "core",
    needs: [],
    why: "The refusal of a text that is not unique says how often it is there, however often that is.",
    hint: "Stop naming lines after a few of them, but do not stop counting.",
    run: countOfOccurrences,
  },
  {
    id: "edit/numbers-of-lines",
    rules: ["E5", "R2"],
    level: "core",
    needs: [],
    why: "The refusal of a text that is not unique names the lines that read counts.",
    hint: "A line ends with \\n alone: not with a lone \\r, nor with any other character.",
    run: numbersOfLines,
  },
  {
    id: "edit/numbers-from-line-ends",
    rules: ["E5", "R2"],
    level: "core",
    needs: [],
    why: "The refusal of a text that begins with a line end names the lines in which it begins.",
    hint: "A line end belongs to the line that it ends.",
    run: fromTheEndOfLines,
  },
  {
    id: "refusal/two-paths-as-written",
    rules: ["A6", "M1"],
    level: "core",
    needs: [],
    why: "A move or copy that is refused names the path that it is about as its caller wrote it.",
    hint: "Keep what was written beside the canonical path, for both.",
    run: pathsAsWritten,
  },
  {
    id: "read/lines-after-edits",
    rules: ["R2", "R1", "R3"],
    level: "core",
    needs: [],
    why: "After an edit of any kind the lines, their number and the end are those of the new text.",
    hint: "A count of lines that is kept has to be made anew, or to count every replacement.",
    run: linesAfterEdits,
  },
  {
    id: "edit/closest-anywhere",
    rules: ["E5"],
    level: "core",
    needs: [],
    why: "The refusal of a text that is not there shows the closest lines, also from far down in the file.",
    hint: "Look through the whole text, not through a page of it.",
    run: closestAnywhere,
  },
  {
    id: "edit/closest-of-many",
    rules: ["E5"],
    level: "core",
    needs: [],
    why: "Of many lines that resemble a text that is not there, the refusal shows the closest.",
    hint: "Sort all that resemble it before any is left out.",
    run: closestOfMany,
  },
];
