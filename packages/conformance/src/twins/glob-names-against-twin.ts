import fc from "fast-check";
import type { CaseContext } from "../engine/case-context.js";
import { show } from "../report/render.js";
import { sortedPaths } from "../model/text-rules.js";
import { CALLS } from "./generated-calls.js";
import { globMatches } from "./glob-twin.js";
import { literalPattern } from "./literal-pattern.js";

/** Names that begin as others end, of characters that patterns, units of code and folds of case take for something else. */
const NAMES = [
  "a",
  "aa",
  "aba",
  "ababa",
  "a.ts",
  "a.b.ts",
  "a.test.ts",
  "tests.ts",
  ".ts",
  "A.TS",
  "x.tar.gz",
  "tar.gz",
  "a-b",
  "a^b",
  "a!b",
  "!ab",
  "^a",
  "a]b",
  "a[b",
  "[ab]",
  "{a,b}",
  "a,b",
  "a\\b",
  "d1.ts",
  "1w.ts",
  "w_",
  "s b",
  "a*b",
  "a?b",
  "a b",
  "a+b",
  "a$b",
  "(a|b)",
  "😀",
  "😀-1.txt",
  "a😀b",
  "\u{1f601}\u{1f600}",
  "é",
  "e\u0301",
  "É",
  "ab\uff5eb",
  "日本.md",
];

/** Members of a class: one may stand in it as it is, or escaped. */
function isMember(character: string | undefined): character is string {
  return character !== undefined && !/[\\[\]!^-]/.test(character);
}

/** Patterns made of a name at two places of it: those that match it, and those that only nearly do. */
function patternsOf(name: string, first: number, second: number): string[] {
  const all = Array.from(name);
  const [from, to] = [first % (all.length + 1), second % (all.length + 1)];
  const [head, tail] = [literalPattern(all.slice(0, from)), literalPattern(all.slice(to))];
  const [one, rest] = [all[from], literalPattern(all.slice(from + 1))];
  // Braces of which one alternative leaves no name, or dots, are no pattern.
  const isName = !["", ".", ".."].includes(head + tail);
  return [
    // Where the second is before the first, head and tail overlap, and there is too little for both.
    `${head}*${tail}`,
    `${head}?${tail}`,
    `${head}?*${tail}`,
    `*${head}*${tail}`,
    `?${rest}`,
    `*${rest}*`,
    `{${literalPattern(all)},${head}*}`,
    ...(isName
      ? [`${head}{,${literalPattern(all.slice(from, to))}}${tail}`, `{${head},none${head}}${tail}`]
      : []),
    ...(isMember(one)
      ? [
          `${head}[${one}]${rest}`,
          `${head}[!${one}]${rest}`,
          `${head}[${one}-${one}b]${rest}`,
          // An escaped letter is a letter, also where an expression knows digits and words by it.
          `${head}[\\${one}]${rest}`,
          `${head}[!\\${one}_]${rest}`,
          `${head}\\${one}${rest}`,
        ]
      : []),
  ].filter((pattern) => !pattern.includes("**"));
}

/** All overlaps of a head and a tail that careless code compares apart. */
const OVERLAPS = ["aba", "ababa", "a.ts", "aa", "a😀b"].flatMap((name) =>
  [1, 2, 3].flatMap((first) =>
    [0, 1, 2].flatMap((second) => patternsOf(name, first, second)[0] ?? []),
  ),
);

/** What names end with from a dot on, which some storages keep apart: the name itself may be no more than that. */
const EXTENSIONS = NAMES.filter((name) => name.includes(".")).flatMap((name) =>
  [name.indexOf("."), name.lastIndexOf(".")].flatMap((dot) => {
    const ending = literalPattern(Array.from(name.slice(dot)));
    return [`*${ending}`, `**/*${ending}`];
  }),
);

/** Escaped letters that an expression knows as kinds of characters. */
const ESCAPED_LETTERS = ["d", "w", "s", "b", "D", "W", "S", "n", "t"].flatMap((letter) => [
  `[\\${letter}]*`,
  `[!\\${letter}]*`,
  `\\${letter}*`,
]);

const sampled = fc
  .record({
    name: fc.constantFrom(...NAMES),
    first: fc.nat(6),
    second: fc.nat(6),
    which: fc.nat(1000),
    deep: fc.boolean(),
  })
  .map(({ name, first, second, which, deep }) => {
    const patterns = patternsOf(name, first, second);
    const pattern = patterns[which % patterns.length] ?? "*";
    return deep ? `**/${pattern}` : pattern;
  });

/** Patterns made of the names that are there, against the twin. */
export async function globNamesAgainstTwin(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  const names = NAMES.filter((name) => profile.names.unicode === "preserve" || name !== "e\u0301");
  const kept = names.filter((name) => profile.names.caseSensitive || name === name.toLowerCase());
  const paths = sortedPaths(kept.map((name) => `/n/${name}`));
  await context.given(Object.fromEntries(paths.map((path) => [path, "x\n"])));
  const sample = fc.sample(sampled, { seed: context.seed, numRuns: 2 * CALLS[context.tier] });
  const whole = kept.map((name) => literalPattern(Array.from(name)));
  for (const pattern of new Set([
    ...whole,
    ...OVERLAPS,
    ...EXTENSIONS,
    ...ESCAPED_LETTERS,
    ...sample,
  ])) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const result = await backend.glob(pattern, "/n");
    const what = `glob ${show(pattern)}`;
    check.succeeded(result, what, "G1");
    check.equal(
      result.files?.map(({ path }) => path),
      paths.filter((path) => globMatches(pattern, path.slice("/n/".length))),
      `What ${what} finds`,
      "G1",
    );
  }
}
