import type { CaseContext } from "../../engine/case-context.js";
import { sortedPaths } from "../../model/text-rules.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";
import { requireFeature } from "./feature.js";

/** Directories whose names some software reads as a pattern, and beside them what the pattern would match. */
const NAMES = [
  "a_b",
  "axb",
  "a%b",
  "axyb",
  "a.b",
  "a*b",
  "a?b",
  "[ab]",
  "a",
  "a-",
  "a0",
  "aa",
  "a\\b",
  "a b",
  "v1",
];

interface Page {
  readonly error?: string;
  readonly files?: ReadonlyArray<{ readonly path: string }>;
  readonly nextAfter?: string;
}

/** Files beside them, each of which has a name that the next begins with. */
const FILES = ["b", "b-", "b.txt", "b0", "bb", "bb.txt", "v1-", "v1.txt", "v10", "v11"];

/** The entries of all pages of a listing, two to a page unless told. */
async function inPages(
  { backend, check }: CaseContext,
  what: string,
  call: (options: object) => readonly [method: "ls" | "glob", args: readonly unknown[]],
  limit = 2,
): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  do {
    const [method, args] = call({ limit, ...(after === undefined ? {} : { after }) });
    const page = (await backend.call(method, args)) as Page;
    check.succeeded(page, `a page of ${what}`, "A2");
    found.push(...(page.files ?? []).map(({ path }) => path));
    after = page.nextAfter;
  } while (after !== undefined && found.length < NAMES.length * 4);
  return found;
}

/** P4, L5: a page is of this directory, and not of those whose names a pattern would match. */
async function pagesOfLookalikes(context: CaseContext): Promise<void> {
  requireFeature(context, "pages");
  const { check } = context;
  const inside = ["1.txt", "2.txt", "s/3.txt"];
  const files = NAMES.flatMap((name) => inside.map((file) => `/d/${name}/${file}`));
  await context.given(Object.fromEntries(files.map((path) => [path, "x"])));
  for (const name of NAMES) {
    const directory = `/d/${name}`;
    const listed = await inPages(context, `ls ${show(directory)}`, (options) => [
      "ls",
      [directory, options],
    ]);
    const children = ["1.txt", "2.txt", "s/"].map((child) => `${directory}/${child}`);
    check.equal(listed, children, `The pages of ls ${show(directory)}`, "L1");
    const found = await inPages(context, `glob in ${show(directory)}`, (options) => [
      "glob",
      ["**/*.txt", directory, options],
    ]);
    const below = sortedPaths(inside.map((file) => `${directory}/${file}`));
    check.equal(found, below, `The pages of glob in ${show(directory)}`, "G1");
  }
}

/** L5: the next page has all that sorts behind the last entry, also what begins with that entry's name. */
async function pagesOfSiblings(context: CaseContext): Promise<void> {
  requireFeature(context, "pages");
  const { check } = context;
  const files = [
    ...NAMES.flatMap((name) => [`/d/${name}/1.txt`, `/d/${name}/s/2.txt`]),
    ...FILES.map((name) => `/d/${name}`),
  ];
  await context.given(Object.fromEntries(files.map((path) => [path, "x"])));
  const children = sortedPaths([...NAMES.map((name) => `${name}/`), ...FILES]);
  const expected = children.map((child) => `/d/${child}`);
  const all = sortedPaths(files);
  // One to a page, so that every entry is the last of a page.
  const listed = await inPages(context, "ls /d", (options) => ["ls", ["/d", options]], 1);
  check.equal(listed, expected, "The pages of ls /d", "L5");
  const found = await inPages(
    context,
    "glob in /d",
    (options) => ["glob", ["**", "/d", options]],
    1,
  );
  check.equal(found, all, "The pages of glob in /d", "L5");
}

/** Names in two forms of Unicode, in capitals, and what comes between them. */
const FORMS = [
  "e\u0301",
  "f",
  "\u00e9",
  "E\u0301",
  "K",
  "\u212a",
  "\ufb01",
  "fi",
  "a\u030a",
  "\u00e5",
];

/** L5, P4: a page goes on behind the very name that was last, in whatever form that is written. */
async function pagesOfForms(context: CaseContext): Promise<void> {
  requireFeature(context, "pages");
  const { check } = context;
  const files = sortedPaths(FORMS.map((name) => `/d/${name}.txt`));
  await context.given(Object.fromEntries(files.map((path) => [path, "x"])));
  for (const limit of [1, 2, 3])
    for (const [method, first] of [
      ["ls", []],
      ["glob", ["*"]],
    ] as const) {
      const what = `${method} of names in several forms, ${limit} to a page`;
      const found = await inPages(
        context,
        what,
        (options) => [method, [...first, "/d", options]],
        limit,
      );
      check.equal(found, files, `The pages of ${what}`, "L5");
    }
}

/** Pages of directories with names that resemble each other. */
export const lookalikePageCases: readonly Case[] = [
  {
    id: "path/pages-of-lookalikes",
    rules: ["P4", "L5", "L1", "G1"],
    level: "core",
    needs: ["transfer"],
    why: "A page of a directory holds its entries alone, whatever characters are in its name.",
    hint: "A name is no pattern, in the query of a page either: '_', '%' and the like stand for themselves.",
    run: pagesOfLookalikes,
  },
  {
    id: "path/pages-of-lookalike-siblings",
    rules: ["L5", "L3", "G1"],
    level: "core",
    needs: ["transfer"],
    why: "A page goes on right behind the last entry, also where the next begins with that entry's name.",
    hint: "What lies below '/d/a/' ends before '/d/a0': go on behind the directory's slash, not behind its name.",
    run: pagesOfSiblings,
  },
  {
    id: "path/pages-of-forms",
    rules: ["L5", "P4", "L3"],
    level: "core",
    needs: ["transfer"],
    why: "A page goes on behind the name that was last, though another form of it sorts elsewhere.",
    hint: "A cursor is compared as it is: neither composed nor in another case.",
    run: pagesOfForms,
  },
];
