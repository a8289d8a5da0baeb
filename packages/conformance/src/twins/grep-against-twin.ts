import fc from "fast-check";
import type { GrepResult } from "@fs/protocol";
import type { CaseContext } from "../engine/case-context.js";
import { show } from "../report/render.js";
import { CALLS } from "./generated-calls.js";
import { searched, type Search } from "./grep-twin.js";
import { SEARCH_FILES, SEARCH_TREE } from "./search-tree.js";

const pathOf = fc.constantFrom(
  "/",
  "/src",
  "/src/b",
  "/dir.md",
  "/a.txt",
  "/src/b/c.ts",
  "/.hidden",
  "/é",
);
const FILTERS: ReadonlyArray<string | null> = [
  null,
  "*.ts",
  "*.{ts,txt}",
  "**/*.ts",
  "b/**",
  "/src/**",
  "/*.txt",
  "a.*",
  "?.[jt]s",
  "[!a]*",
  "*.md",
  "*.TS",
];
const filter = fc.constantFrom(null, ...FILTERS);

/** Every filter with and without regard to case, from the root and from a directory. */
function filtered(regex: boolean): Search[] {
  const plain = { maxCount: null, before: 0, after: 0, regex };
  const characters = regex ? ["^.$", "^.{2}$", "."] : ["😀", "é", "\t"];
  const wanted = characters.map((pattern) => ({
    pattern,
    path: "/",
    glob: null,
    ignoreCase: false,
    ...plain,
  }));
  const options = FILTERS.flatMap((glob) =>
    [true, false].flatMap((ignoreCase) => [
      { pattern: "one", path: "/", glob, ignoreCase, ...plain },
      { pattern: "two", path: "/src", glob, ignoreCase, ...plain, before: 1, after: 1 },
    ]),
  );
  return [...wanted, ...options, ...exactly(regex)];
}

/** As many matches as are asked for, and not one more: with context, and of a file. */
function exactly(regex: boolean): Search[] {
  const contexts = [
    { before: 0, after: 0 },
    { before: 1, after: 0 },
    { before: 0, after: 1 },
  ];
  return ["/", "/a.txt"].flatMap((path) =>
    contexts.map((around, n): Search => {
      const search = { pattern: "one", path, glob: null, ignoreCase: n === 2, regex, ...around };
      const { matches } = searched(SEARCH_TREE, { ...search, maxCount: null });
      return { ...search, maxCount: matches.length };
    }),
  );
}

/** Expressions to search for. */
const EXPRESSIONS = [
  "one",
  "^one$",
  "o.e",
  "(one|two)",
  "^$",
  "t[wh]",
  "o+n",
  "\\bone\\b",
  "^\\s",
  "e$",
  "x*",
  "[A-Z]{3}",
  "^.$",
  "^.{2}$",
  "one\\stwo",
  "^\\S+$",
  "\\D\\W",
];

/** Literal texts to search for: of which some are there several times in a line, in one case or in both. */
const LITERALS = [
  "one",
  "two",
  "ONE",
  "é",
  " ",
  "a+b",
  ".",
  "[x]",
  "one.two",
  "no such text",
  "o",
  "\t",
];

/** Every text with each of the options, and with each two of them: what no throw of a die may leave out. */
function crossed(regex: boolean): Search[] {
  const contexts = [
    { before: 0, after: 0 },
    { before: 2, after: 0 },
    { before: 0, after: 1 },
  ];
  return (regex ? EXPRESSIONS : LITERALS).flatMap((pattern) =>
    [true, false].flatMap((ignoreCase) =>
      contexts.flatMap((around) =>
        [null, 3].map((maxCount) => ({
          pattern,
          path: "/",
          glob: null,
          ignoreCase,
          maxCount,
          regex,
          ...around,
        })),
      ),
    ),
  );
}

/** Searches for a literal text or a regular expression, with every option at once. */
function searches(regex: boolean): fc.Arbitrary<Search> {
  const pattern = fc.constantFrom(...(regex ? EXPRESSIONS : LITERALS));
  return fc.record({
    pattern,
    path: pathOf,
    glob: filter,
    maxCount: fc.constantFrom(null, null, 0, 1, 2, 3, 5, 8, 13, 2 ** 32),
    ignoreCase: fc.boolean(),
    regex: fc.constant(regex),
    before: fc.constantFrom(0, 0, 1, 2, 20),
    after: fc.constantFrom(0, 0, 1, 2, 20),
  });
}

/** Generated searches with every option, against the twin. */
export async function grepAgainstTwin(context: CaseContext, regex: boolean): Promise<void> {
  await context.given(SEARCH_FILES);
  const sample = fc.sample(searches(regex), { seed: context.seed, numRuns: CALLS[context.tier] });
  for (const search of [...filtered(regex), ...crossed(regex), ...sample]) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const { pattern, path, glob, maxCount, ignoreCase, before, after } = search;
    const options = { ignoreCase, before, after, ...(regex ? { regex } : {}) };
    const result = await context.backend.grep(pattern, path, glob, maxCount, options);
    const what = `a search for ${show(search)}`;
    context.check.succeeded(result, what, "S8");
    const expected = searched(SEARCH_TREE, search);
    context.check.equal(
      linesFound(result, search),
      expected.matches,
      `What grep finds in ${what}`,
      "S8",
    );
    context.check.equal(
      result.truncated ?? false,
      expected.truncated,
      `'truncated' of ${what}`,
      "S7",
    );
  }
}

function linesFound({ matches }: GrepResult, { before, after }: Search): unknown {
  return matches?.map((match) => [
    match.path,
    match.line,
    match.text,
    before === 0 ? [] : (match.before ?? []),
    after === 0 ? [] : (match.after ?? []),
  ]);
}
