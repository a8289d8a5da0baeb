import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";
import { hasFeature } from "./feature.js";

/** What is asked of a directory whose files hold a word, and the answer. */
interface Question {
  readonly name: string;
  readonly ask: (backend: GuardedBackend, top: string, word: string) => Promise<unknown>;
  readonly answer: (top: string, word: string) => unknown;
}

/** The files below the directory of a round. Nothing else holds its word, so that nothing has been asked about it before. */
function filesWith(top: string, word: string): Record<string, string> {
  const large = word.toUpperCase();
  return {
    [`${top}/a.txt`]: `${word}\n${large}\n${word}.y\n${word}zy\n`,
    [`${top}/b.md`]: `${word}\n${large}\n`,
    [`${top}/e/a.txt`]: `${word}\n`,
    [`${top}/e/e/c.txt`]: `${word}\n`,
  };
}

/** A search below the directory, with what it finds: the numbers of the lines by the end of each path. */
function search(
  name: string,
  ask: (backend: GuardedBackend, top: string, word: string) => ReturnType<GuardedBackend["grep"]>,
  found: Readonly<Record<string, readonly number[]>>,
): Question {
  return {
    name,
    ask: async (backend, top, word) =>
      (await ask(backend, top, word)).matches?.map(({ path, line }) => [path, line]),
    answer: (top) =>
      Object.entries(found).flatMap(([end, lines]) => lines.map((line) => [top + end, line])),
  };
}

/** A search of one file, which finds three of its lines, with lines around them. */
function withContext(
  name: string,
  options: { before?: number; after?: number },
  around: (word: string) => { before?: string[][]; after?: string[][] },
): Question {
  return {
    name,
    ask: async (backend, top, word) => {
      const { matches } = await backend.grep(word, `${top}/a.txt`, null, null, options);
      return matches?.map(({ before = [], after = [] }) => ({ before, after }));
    },
    answer: (_, word) => {
      const { before = [], after = [] } = around(word);
      return range(3).map((n) => ({ before: before[n] ?? [], after: after[n] ?? [] }));
    },
  };
}

const SEARCHES: readonly Question[] = [
  search("grep", (backend, top, word) => backend.grep(word, top), {
    "/a.txt": [1, 3, 4],
    "/b.md": [1],
    "/e/a.txt": [1],
    "/e/e/c.txt": [1],
  }),
  search("grep of one match", (backend, top, word) => backend.grep(word, top, null, 1), {
    "/a.txt": [1],
  }),
  search("grep of four matches", (backend, top, word) => backend.grep(word, top, null, 4), {
    "/a.txt": [1, 3, 4],
    "/b.md": [1],
  }),
  search(
    "grep in any case",
    (backend, top, word) => backend.grep(word, top, null, null, { ignoreCase: true }),
    { "/a.txt": [1, 2, 3, 4], "/b.md": [1, 2], "/e/a.txt": [1], "/e/e/c.txt": [1] },
  ),
  search("grep with a filter", (backend, top, word) => backend.grep(word, top, "*.md"), {
    "/b.md": [1],
  }),
  search("grep of a file", (backend, top, word) => backend.grep(word, `${top}/a.txt`), {
    "/a.txt": [1, 3, 4],
  }),
  search("grep of a directory in it", (backend, top, word) => backend.grep(word, `${top}/e`), {
    "/e/a.txt": [1],
    "/e/e/c.txt": [1],
  }),
  search("grep with a place for a filter", (backend, top, word) => backend.grep(word, top, "e/*"), {
    "/e/a.txt": [1],
  }),
  search(
    "grep with that place in a directory in it",
    (backend, top, word) => backend.grep(word, `${top}/e`, "e/*"),
    { "/e/e/c.txt": [1] },
  ),
  withContext("grep with the line before", { before: 1 }, (word) => ({
    before: [[], [word.toUpperCase()], [`${word}.y`]],
  })),
  withContext("grep with the line after", { after: 1 }, (word) => ({
    after: [[word.toUpperCase()], [`${word}zy`], []],
  })),
];

const EXPRESSIONS: readonly Question[] = [
  search("grep of a point", (backend, top, word) => backend.grep(`${word}.y`, top), {
    "/a.txt": [3],
  }),
  search(
    "grep of any character",
    (backend, top, word) => backend.grep(`${word}.y`, top, null, null, { regex: true }),
    { "/a.txt": [3, 4] },
  ),
  search(
    "grep of a letter behind it in any case",
    (backend, top, word) =>
      backend.grep(`^${word}\\w`, top, null, null, { regex: true, ignoreCase: true }),
    { "/a.txt": [4] },
  ),
  search(
    "grep of no letter behind it in any case",
    (backend, top, word) =>
      backend.grep(`^${word}\\W`, top, null, null, { regex: true, ignoreCase: true }),
    { "/a.txt": [3] },
  ),
];

type Listing = readonly [method: "ls" | "glob", ...args: unknown[]];

/** A list of files or of names, of which each is named by the end of its path. */
function list(name: string, call: (top: string) => Listing, ends: readonly string[]): Question {
  return {
    name,
    ask: async (backend, top) => {
      const [method, ...args] = call(top);
      const { files } = (await backend.call(method, args)) as { files?: Array<{ path: string }> };
      return files?.map(({ path }) => path.replace(/\/$/, ""));
    },
    answer: (top) => ends.map((end) => top + end),
  };
}

const GLOBS: readonly Question[] = [
  list("glob", (top) => ["glob", "**", top], ["/a.txt", "/b.md", "/e/a.txt", "/e/e/c.txt"]),
  list("glob of a kind", (top) => ["glob", "**/*.txt", top], ["/a.txt", "/e/a.txt", "/e/e/c.txt"]),
  list("glob of a directory in it", (top) => ["glob", "**", `${top}/e`], [
    "/e/a.txt",
    "/e/e/c.txt",
  ]),
  list("glob of a place", (top) => ["glob", "?/*", top], ["/e/a.txt"]),
  list("glob of that place in a directory in it", (top) => ["glob", "?/*", `${top}/e`], [
    "/e/e/c.txt",
  ]),
  list("glob of another name", (top) => ["glob", "**/none", top], []),
];

const GLOB_PAGES: readonly Question[] = [
  list("a page of glob", (top) => ["glob", "**", top, { limit: 1 }], ["/a.txt"]),
  list("the next page of glob", (top) => ["glob", "**", top, { after: `${top}/a.txt`, limit: 1 }], [
    "/b.md",
  ]),
];

const LISTS: readonly Question[] = [
  list("ls", (top) => ["ls", top], ["/a.txt", "/b.md", "/e"]),
  list("ls of a directory in it", (top) => ["ls", `${top}/e`], ["/e/a.txt", "/e/e"]),
];

const LIST_PAGES: readonly Question[] = [
  list("a page of ls", (top) => ["ls", top, { limit: 1 }], ["/a.txt"]),
  list("the next page of ls", (top) => ["ls", top, { after: `${top}/a.txt`, limit: 1 }], ["/b.md"]),
];

/** Some lines of a file, of the four that it has. */
function page(name: string, offset: number, limit: number): Question {
  return {
    name,
    ask: async (backend, top) => (await backend.read(`${top}/a.txt`, offset, limit)).content,
    answer: (_, word) =>
      [word, word.toUpperCase(), `${word}.y`, `${word}zy`]
        .slice(offset, offset + limit)
        .map((line) => `${line}\n`)
        .join(""),
  };
}

const READS: readonly Question[] = [
  page("read", 0, 500),
  page("read of one line", 0, 1),
  page("read of two lines", 0, 2),
  page("read of the second line", 1, 1),
  page("read from the third line on", 2, 500),
];

/** Questions that are asked of the same files, and the rule of their answers. */
type Family = readonly [rule: string, questions: readonly Question[]];

function familiesOf(context: CaseContext): readonly Family[] {
  const pages = hasFeature(context, "pages");
  return [
    ["S1", SEARCHES],
    ["S1", context.profile.regex ? EXPRESSIONS : []],
    ["G1", [...GLOBS, ...(pages ? GLOB_PAGES : [])]],
    ["L1", [...LISTS, ...(pages ? LIST_PAGES : [])]],
    ["R1", READS],
  ];
}

/** Gives each round a directory and a word of its own. */
async function inDirectories<T>(
  context: CaseContext,
  rounds: readonly T[],
): Promise<ReadonlyArray<T & { readonly top: string; readonly word: string }>> {
  const placed = rounds.map((round, n) => ({ ...round, top: `/${n}`, word: `needle${n}` }));
  await context.given(
    Object.fromEntries(placed.flatMap(({ top, word }) => Object.entries(filesWith(top, word)))),
  );
  return placed;
}

/** S1, G1, L1, R1: every question has its own answer, whatever was asked of the same files just before. */
async function askedOtherwise(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const pairs = familiesOf(context).flatMap(([rule, questions]) =>
    questions.flatMap((first) =>
      questions.flatMap((second) => (first === second ? [] : [{ rule, first, second }])),
    ),
  );
  for (const { rule, first, second, top, word } of await inDirectories(context, pairs)) {
    context.transcript.clear();
    await first.ask(backend, top, word);
    check.equal(
      await second.ask(backend, top, word),
      second.answer(top, word),
      `The answer of ${second.name} after ${first.name}`,
      rule,
    );
  }
}

/** The same while the others are under way: each of them once begins first, and once last. */
async function askedOtherwiseAtOnce(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const orders = familiesOf(context).flatMap(([rule, questions]) => [
    { rule, questions },
    { rule, questions: questions.toReversed() },
  ]);
  for (const { rule, questions, top, word } of await inDirectories(context, orders)) {
    context.transcript.clear();
    const answers = await Promise.all(questions.map(({ ask }) => ask(backend, top, word)));
    for (const [n, { name, answer }] of questions.entries())
      check.equal(answers[n], answer(top, word), `The answer of ${name} beside others`, rule);
  }
}

/** Questions about the same files, one after the other and at once, of which one is narrower than the other. */
export const askedOtherwiseCases: readonly Case[] = [
  {
    id: "guard/asked-otherwise",
    rules: ["S1", "S7", "S8", "G1", "L1", "L5", "R1"],
    level: "core",
    needs: ["transfer"],
    patience: 2,
    why: "A question about files has its own answer, whatever was asked about the same files just before.",
    hint: "An answer that is kept needs every argument in its key; what a limit has cut off is no answer to more.",
    run: askedOtherwise,
  },
  {
    id: "guard/asked-otherwise-at-once",
    rules: ["S1", "S5", "S8", "G2", "L1", "L5", "R1"],
    level: "core",
    needs: ["transfer"],
    why: "A question about files has its own answer, whatever else is asked about the same files at the same time.",
    hint: "Calls that share one request need every argument in its key.",
    run: askedOtherwiseAtOnce,
  },
];
