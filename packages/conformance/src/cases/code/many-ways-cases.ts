import type { CaseContext } from "../../engine/case-context.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";

const HINT =
  "A matcher that tries every way one after the other takes exponential time: keep the set of places where the pattern may stand, or use an engine such as RE2.";

/** Segments of the path, and letters of the name, that wildcards may be divided among. */
const PARTS = 40;
/** Wildcards in a pattern: a few, each time more, so that the first call which takes too long ends the case. */
const WILDCARDS = [4, 6, 8, 9, 10, 11, 12, 14, 18];

/** G5: the cost of a pattern does not grow with the number of ways in which it could match. */
async function waysOfNames(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const deep = `${"/a".repeat(PARTS)}/x`;
  const long = `/${"a".repeat(PARTS)}x`;
  await context.given({ [deep]: "needle\n", [long]: "needle\n" });
  for (const count of WILDCARDS)
    for (const [path, part] of [
      [deep, "**/a/"],
      [long, "*a"],
    ] as const)
      for (const end of ["b", "x"]) {
        if (context.signal.aborted) return;
        const pattern = part.repeat(count) + end;
        const expected = end === "x" ? [path] : [];
        const { files } = await backend.glob(pattern);
        const found = files?.map((file) => file.path);
        check.equal(found, expected, `What glob finds by ${show(pattern)}`, "G1");
        const { matches } = await backend.grep("needle", "/", pattern);
        const hits = matches?.map((match) => match.path);
        check.equal(hits, expected, `Where grep looks by ${show(pattern)}`, "S5");
      }
}

/** Regular expressions with more ways of matching a line of one letter than can be tried. */
const EXPRESSIONS = ["(a+)+$", "(a|a)*$", "^(a*)*b", "(a|aa)+$", "^([a-z]+)*[0-9]"];
/** Letters of the line: each one more doubles the ways. */
const LETTERS = [18, 20, 22, 24, 25, 26, 27, 28, 29, 30, 200];

/** S8: nor does that of a regular expression. */
async function waysOfLines(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  for (const letters of LETTERS) {
    const path = `/${letters}/a.txt`;
    await context.given({ [path]: `${"a".repeat(letters)}!\nb\n` });
    for (const pattern of EXPRESSIONS) {
      if (context.signal.aborted) return;
      const { matches } = await backend.grep(pattern, path, null, null, { regex: true });
      const lines = matches?.map(({ line }) => line);
      const expected = pattern === "(a|a)*$" ? [1, 2] : pattern === "^(a*)*b" ? [2] : [];
      check.equal(lines, expected, `The lines that match ${show(pattern)}`, "S8");
    }
  }
}

/** Patterns that could match in more ways than can be tried. */
export const manyWaysCases: readonly Case[] = [
  {
    id: "glob/many-ways",
    rules: ["G5", "G1", "S5"],
    level: "core",
    needs: [],
    why: "A pattern of many wildcards is answered, however many ways there are to divide a path among them.",
    hint: HINT,
    run: waysOfNames,
  },
  {
    id: "grep/many-ways",
    rules: ["S8", "S1"],
    level: "core",
    needs: ["regex"],
    why: "A regular expression with repetitions within each other is answered, however many ways it could match.",
    hint: HINT,
    run: waysOfLines,
  },
];
