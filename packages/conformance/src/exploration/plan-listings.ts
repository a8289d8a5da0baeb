import { hasFeature } from "../cases/code/feature.js";
import type { GuardedBackend } from "../engine/guard.js";
import { globMatches } from "../twins/glob-twin.js";
import { literalPattern } from "../twins/literal-pattern.js";
import type { Dice } from "./dice.js";
import { respelled, type Exploration } from "./exploration.js";
import { sentenceOf, type Answer, type Plan, type PlannedCall } from "./planned-call.js";

/** Pages that are asked for until the end is believed to be missing. */
const MOST_PAGES = 60;

interface Listed {
  readonly path: string;
  readonly size?: unknown;
  readonly version?: unknown;
}

/** L1 to L5: a directory whole, or page by page. */
export const planLs: Plan = (exploration, dice) => {
  const { model } = exploration;
  const directory = exploration.directory(dice);
  const expected = model.children(directory);
  if (expected.length === 0) return undefined;
  const path = respelled(dice, directory, true);
  return listing(exploration, dice, { method: "ls", args: [path], expected, touched: directory });
};

/** The directory that a path is in, or one above it: whole or in pages. */
export const planLsAbove = (
  exploration: Exploration,
  dice: Dice,
  path: string,
): PlannedCall | undefined => {
  const directory = baseOf(exploration, dice, path);
  const expected = exploration.model.children(directory);
  if (expected.length === 0) return undefined;
  return listing(exploration, dice, {
    method: "ls",
    args: [directory],
    expected,
    touched: directory,
  });
};

/** G1 to G4: a pattern made of a path that is there, from any directory above it. */
export const planGlob: Plan = (exploration, dice) => {
  const file = exploration.file(dice);
  if (file === undefined) return undefined;
  const base = baseOf(exploration, dice, file);
  const below = exploration.model.below(base);
  const absolute = dice.once(6);
  const relative = file.slice(absolute ? 1 : base.length + 1);
  const pattern = patternOf(dice, relative);
  if (pattern.length > 1000) return undefined;
  const expected = below.filter((path) =>
    globMatches(pattern, path.slice(absolute ? 1 : base.length + 1)),
  );
  const args = [absolute ? `/${pattern}` : pattern, respelled(dice, base, true)];
  return listing(exploration, dice, { method: "glob", args, expected, touched: base });
};

/** A directory above a file, down from the one of the exploration. */
export function baseOf({ base }: Exploration, dice: Dice, file: string): string {
  const names = file.slice(base.length).split("/").slice(1, -1);
  return [base, ...names.slice(0, dice.below(names.length + 1))].join("/");
}

function listing(
  exploration: Exploration,
  dice: Dice,
  {
    method,
    args,
    expected,
    touched,
  }: {
    method: "ls" | "glob";
    args: readonly unknown[];
    expected: readonly string[];
    touched: string;
  },
): PlannedCall {
  const { context } = exploration;
  const paged = hasFeature(context, "pages") && dice.once(2) && expected.length > 0;
  const sizes = [expected.length, expected.length + 1, Math.ceil(expected.length / 2)];
  const least = Math.ceil(expected.length / (MOST_PAGES - 10));
  const limit = Math.max(least, dice.pick([1, 2, 3, 10, 100, ...sizes]));
  // What a page begins after may be an entry, or a text between two of them.
  const after = dice.once(3) ? dice.pick(expected) : undefined;
  const what = sentenceOf({ method, args });
  const plain = { method, args, touches: [touched], changes: false };
  if (!paged)
    return {
      ...plain,
      settle: (answer) => judgeEntries(exploration, { what, expected }, [answer as Answer]),
    };
  const rest = after === undefined ? expected : expected.filter((path) => path > after);
  const pages = `${what} in pages of ${limit}${after === undefined ? "" : ` after ${JSON.stringify(after)}`}`;
  return {
    ...plain,
    make: async (backend) => await pagesOf(backend, method, args, { limit, after }),
    settle: (answers) =>
      judgeEntries(
        exploration,
        { what: pages, expected: rest, limit },
        answers as readonly Answer[],
      ),
  };
}

async function pagesOf(
  backend: GuardedBackend,
  method: string,
  args: readonly unknown[],
  { limit, after }: { limit: number; after: string | undefined },
): Promise<Answer[]> {
  const pages: Answer[] = [];
  let from = after;
  while (pages.length < MOST_PAGES) {
    const options = { limit, ...(from === undefined ? {} : { after: from }) };
    const page = (await backend.call(method, [...args, options])) as Answer;
    pages.push(page);
    const { nextAfter } = page;
    if (typeof nextAfter !== "string") break;
    from = nextAfter;
  }
  return pages;
}

function judgeEntries(
  exploration: Exploration,
  { what, expected, limit }: { what: string; expected: readonly string[]; limit?: number },
  answers: readonly Answer[],
): void {
  const { context, model } = exploration;
  const { check } = context;
  for (const answer of answers) check.succeeded(answer, what, "L4");
  const ghosts = context.profile.directories === "real";
  const entries = answers.flatMap(({ files }) => (Array.isArray(files) ? (files as Listed[]) : []));
  const shown = entries.filter(
    ({ path }) => !ghosts || !path.endsWith("/") || model.isDirectory(path.slice(0, -1)),
  );
  check.equal(
    shown.map(({ path }) => path),
    expected,
    `What ${what} lists`,
    what.startsWith("ls") ? "L1" : "G1",
  );
  for (const { path, size, version } of shown) {
    const bytes = model.files.get(path);
    if (bytes === undefined) continue;
    if (size !== undefined)
      check.equal(size, bytes.length, `The size of ${JSON.stringify(path)} in ${what}`, "L2");
    exploration.know(path, bytes, version, what);
  }
  if (limit === undefined || ghosts) return;
  // Nothing was left: the page before was the last.
  const empty = answers.length > 1 && entriesIn(answers.at(-1)) === 0;
  check.that(
    !empty,
    `The last page of ${what} is empty, so that the one before should have been the last.`,
    "L5",
  );
  for (const [n, page] of answers.entries()) {
    const { truncated } = page;
    const last = n === answers.length - 1;
    const length = entriesIn(page);
    check.that(
      last ? length <= limit && truncated !== true : length === limit && truncated === true,
      `Page ${n + 1} of ${answers.length} of ${what} has ${length} entries, and 'truncated' is ${String(truncated)}.`,
      "L5",
    );
  }
}

function entriesIn(page: Answer | undefined): number {
  const files = page?.["files"];
  return Array.isArray(files) ? files.length : 0;
}

/** A pattern that a path matches, or nearly. */
export function patternOf(dice: Dice, relative: string): string {
  const segments = relative.split("/").map((name) => segmentOf(dice, name));
  if (dice.once(3)) {
    const at = dice.below(segments.length);
    segments.splice(at, dice.below(segments.length - at), "**");
  }
  return segments.join("/");
}

function segmentOf(dice: Dice, name: string): string {
  const characters = Array.from(name);
  const at = dice.below(characters.length);
  const one = characters[at] ?? "a";
  const [head, tail] = [
    literalPattern(characters.slice(0, at)),
    literalPattern(characters.slice(at + 1)),
  ];
  const isPlain = /[\p{L}\p{N}]/u.test(one);
  switch (dice.below(10)) {
    case 0:
      return "*";
    case 1:
      return `${head}*`;
    case 2:
      return `*${literalPattern(characters.slice(at))}`;
    case 3:
      return `${head}?${tail}`;
    case 4:
      return isPlain ? `${head}[${one}]${tail}` : `${head}?${tail}`;
    case 5:
      return isPlain ? `${head}[!${one}]${tail}` : `${head}*${tail}`;
    case 6:
      return `{${literalPattern(characters)},none}`;
    case 7:
      // What is left without the character may be no name: nothing, or dots.
      return ["", ".", ".."].includes(head + tail)
        ? "*"
        : `${head}{,${literalPattern([one])}}${tail}`;
    default:
      return literalPattern(characters);
  }
}
