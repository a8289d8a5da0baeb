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
  base: fc.constantFrom("/", "/", "/src", "/src/b", "/dir.md", "/src/a.ts"),
  written: fc.constantFrom<Written>("relative", "relative", "absolute", "below"),
});

/** Alternatives of whole paths: what all of them begin with is less than what two of them do. */
const pathAlternatives = fc
  .record({
    paths: fc.array(
      fc.oneof(
        fc.constantFrom(...Object.keys(SEARCH_FILES).map((path) => path.slice(1))).filter(isPlain),
        fc.constantFrom(
          "src/*",
          "src/b/**",
          "*.txt",
          "src/b/*.ts",
          "**/e.js",
          "src",
          "dir.md",
          "none",
        ),
      ),
      { minLength: 2, maxLength: 4 },
    ),
    end: fc.constantFrom("", "", "", "/*", "/**/*.ts"),
  })
  .map(({ paths, end }) => ({
    pattern: `{${paths.join(",")}}${end}`,
    base: "/",
    written: "relative" as const,
  }));

/** A path that is a pattern of itself alone. */
function isPlain(path: string): boolean {
  return !/[[\]{}*?\\,!]/.test(path);
}

/** How a pattern is written: relative to the base, from the root, or from the root with the base in front. */
type Written = "relative" | "absolute" | "below";

/** G2: a pattern as it is passed. */
function asWritten(pattern: string, base: string, written: Written): string {
  if (written === "relative") return pattern;
  return written === "absolute" || base === "/" ? `/${pattern}` : `${base}/${pattern}`;
}

/** G2, G4: what a pattern finds below a base, or of a file as base. */
function found(pattern: string, base: string): string[] {
  const prefix = base === "/" ? "/" : `${base}/`;
  return sortedPaths(SEARCH_TREE.keys()).filter((path) => {
    if (path !== base && !path.startsWith(prefix)) return false;
    if (pattern.startsWith("/")) return globMatches(pattern.slice(1), path.slice(1));
    // A file as base is its own name.
    const from = path === base ? path.lastIndexOf("/") + 1 : prefix.length;
    return globMatches(pattern, path.slice(from));
  });
}

/** Patterns without a wildcard, which a backend may look up in place of matching: of files and directories, in and outside of the base. */
const LITERALS = ["/", "/src", "/src/b", "/.hidden", "/src/a.ts"].flatMap((base) =>
  ["src", "src/b", "b", "a.ts", "src/a.ts", "src/b/c.ts", "b/c.ts", ".hidden/.env", "none"].flatMap(
    (pattern) => [
      { pattern, base },
      { pattern: `/${pattern}`, base },
    ],
  ),
);

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
  "{a\\,md,a.md}",
  "{a\\.md,\\{b}",
  "/src/*.ts",
  "/**/*.md",
  "{src/a.ts,.hidden/.env,src/b/c.ts}",
  "{src/b/*,a.txt,src/b/d/*}",
].map((pattern) => ({ pattern, base: "/" }));

/** Common and generated patterns, against the twin. */
export async function globAgainstTwin(context: CaseContext): Promise<void> {
  await context.given(SEARCH_FILES);
  const sample = fc.sample(globs, { seed: context.seed, numRuns: 2 * CALLS[context.tier] });
  const ofPaths = fc.sample(pathAlternatives, { seed: context.seed, numRuns: 20 });
  const generated = [...sample, ...ofPaths].map(({ pattern, base, written }) => ({
    pattern: asWritten(pattern, base, written),
    base,
  }));
  for (const { pattern, base } of [...COMMON_GLOBS, ...LITERALS, ...generated]) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const expected = found(pattern, base);
    const result = await context.backend.glob(pattern, base);
    const what = `glob ${show(pattern)} in ${base}`;
    context.check.succeeded(result, what, "G2");
    context.check.equal(
      result.files?.map(({ path }) => path),
      expected,
      `What ${what} finds`,
      pattern.startsWith("/") ? "G2" : "G1",
    );
  }
}
