import fc from "fast-check";
import type { CaseContext } from "../engine/case-context.js";
import { show } from "../report/render.js";
import { sortedPaths } from "../model/text-rules.js";
import { CALLS } from "./generated-calls.js";
import { globMatches } from "./glob-twin.js";
import { SEARCH_FILES, SEARCH_TREE } from "./search-tree.js";

const segment = fc
  .array(
    fc.constantFrom(
      "*",
      "?",
      "a",
      "b",
      "src",
      ".",
      "ts",
      "txt",
      "[ab]",
      "[!a]",
      "[a-d]",
      "{a,b}",
      "{ts,txt,md}",
      "é",
      "e",
    ),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((pieces) => pieces.join(""))
  .filter((text) => text !== "." && text !== ".." && !text.includes("**"));
/** How many patterns without braces a pattern stands for. */
const alternatives = (pattern: string): number =>
  [...pattern.matchAll(/\{([^}]*)\}/g)].reduce(
    (product, [, list = ""]) => product * list.split(",").length,
    1,
  );
/** Far below the 256 that G3 lets a backend refuse. */
const MOST_ALTERNATIVES = 64;

const globs = fc.record({
  pattern: fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: segment },
        { weight: 2, arbitrary: fc.constant("**") },
        { weight: 1, arbitrary: fc.constantFrom("*", "*.ts", "src", "b") },
      ),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    .map((segments) => segments.join("/"))
    .filter((pattern) => alternatives(pattern) <= MOST_ALTERNATIVES),
  base: fc.constantFrom("/", "/", "/src", "/src/b", "/dir.md"),
});

/** What agents ask for most, before what nobody would. */
const COMMON_GLOBS = [
  "*",
  "**",
  "*.txt",
  "*.ts",
  "**/*.txt",
  "**/*.ts",
  "**/*.{ts,js}",
  "**/[!a].ts",
  "src/**",
  "src/*/c.ts",
  "src/**/c.ts",
  "**/b/**/*.ts",
  "**/.*",
  ".hidden/*",
  "?.txt",
  "??.txt",
  "a.[tT]*",
  "*/*.ts",
  "b-\\[x\\].txt",
  "{a,src}*",
  "[a-z]*.ts",
  "[a-z]*",
  "**/[a-z].[a-zA-Z]*",
  "?[a-z]*",
  "**/?e.ts",
  "**/[!x]e*",
  "?hidden/?env",
  "[.]hidden/*",
  "**/**",
  "**/**/*.ts",
  "**/a.{,t}{txt,md,s}",
  "{,src/}a.*",
  "b-[[]x[]].txt",
  "b[-]*",
  "[b-]*",
  "[a-]*",
  "src",
  "src/b",
  "[A-Z]*",
  "**/[!a-z]*",
  "*.TS",
  "**/*.{TS,md}",
  "\\**",
].map((pattern) => ({ pattern, base: "/" }));

/** Common and generated patterns, against the twin. */
export async function globAgainstTwin(context: CaseContext): Promise<void> {
  await context.given(SEARCH_FILES);
  const sample = fc.sample(globs, { seed: context.seed, numRuns: 2 * CALLS[context.tier] });
  for (const { pattern, base } of [...COMMON_GLOBS, ...sample]) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const prefix = base === "/" ? "/" : `${base}/`;
    const expected = sortedPaths(SEARCH_TREE.keys()).filter(
      (path) => path.startsWith(prefix) && globMatches(pattern, path.slice(prefix.length)),
    );
    const result = await context.backend.glob(pattern, base);
    const what = `glob ${show(pattern)} in ${base}`;
    context.check.succeeded(result, what, "G1");
    context.check.equal(
      result.files?.map(({ path }) => path),
      expected,
      `What ${what} finds`,
      "G1",
    );
  }
}
