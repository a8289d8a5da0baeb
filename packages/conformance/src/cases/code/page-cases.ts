import type { CaseContext } from "../../engine/case-context.js";
import { sortedPaths } from "../../model/text-rules.js";
import { range } from "../../races/race.js";
import { show } from "../../report/render.js";
import type { Case } from "../case.js";
import { requireFeature } from "./feature.js";

type Method = "ls" | "glob";

interface Page {
  readonly error?: string;
  readonly files?: ReadonlyArray<{ readonly path: string }>;
  readonly truncated?: boolean;
  readonly nextAfter?: string;
}

function pathsOf({ files = [] }: Page): string[] {
  return files.map(({ path }) => path);
}

async function listing(
  { backend }: CaseContext,
  method: Method,
  options?: object,
  pattern = "**",
): Promise<Page> {
  const rest = options === undefined ? [] : [options];
  return (await backend.call(
    method,
    method === "ls" ? ["/d", ...rest] : [pattern, "/d", ...rest],
  )) as Page;
}

async function given(context: CaseContext): Promise<void> {
  requireFeature(context, "pages");
  const files = range(11).map(
    (n) => `/d/${["a", "é", "Z", "😀"][n % 4] ?? ""}${n}${n % 3 === 0 ? "/x" : ""}.txt`,
  );
  // Names whose order differs by bytes, and a directory of several files at the end.
  files.push("/d/\uff46.txt", "/d/\uff5a/x.txt", "/d/\uff5a/y.txt", "/d/\uff5a/z/z.txt");
  // What was removed takes no place of a page.
  const removed = ["/d/0.txt", "/d/a00.txt", "/d/a9/x.txt", "/d/zz/x.txt", "/d/\uffff.txt"];
  const { backend, profile } = context;
  // What lies beside the directory is no part of it, before it and after.
  const beside = ["/c/a.txt", "/d.txt", "/d0/a.txt", "/e/a.txt", "/z.txt"];
  const all = [...files, ...beside, ...(profile.delete ? removed : [])];
  await context.given(Object.fromEntries(all.map((path) => [path, path])));
  if (!profile.delete) return;
  for (const path of removed) await backend.delete(path === "/d/zz/x.txt" ? "/d/zz" : path);
}

/** Pages through a listing with every page size, and compares with the whole. */
async function pages(context: CaseContext, method: Method): Promise<void> {
  await given(context);
  const { check } = context;
  const whole = pathsOf(await listing(context, method));
  for (const limit of [1, 2, 3, 5, whole.length - 1, whole.length, whole.length + 1]) {
    const found: string[] = [];
    let after: string | undefined;
    for (let page = 0; page <= whole.length; page++) {
      const answer = await listing(
        context,
        method,
        after === undefined ? { limit } : { limit, after },
      );
      const what = `page ${page} of ${method} with ${limit}`;
      check.succeeded(answer, what, "A2");
      const paths = pathsOf(answer);
      const most = Math.min(limit, whole.length - found.length);
      check.equal(paths.length, most, `The number of entries of ${what}`, "L5");
      found.push(...paths);
      const isLast = found.length >= whole.length;
      check.equal(answer.truncated === true, !isLast, `'truncated' of ${what}`, "L5");
      if (isLast) {
        check.equal(answer.nextAfter, undefined, `'nextAfter' of ${what}, the last,`, "L5");
        break;
      }
      after = answer.nextAfter;
      check.that(typeof after === "string", `${what} should say where the next begins.`, "L5");
    }
    check.equal(found, whole, `The pages of ${limit} of ${method} in a row`, "L3");
  }
}

/** Texts to go on after that are no path at all. */
const NO_PATHS: ReadonlySet<string> = new Set(["/d/\u0000", "x", ""]);

/** L5 says what `after` and `limit` mean by order alone: whether anything of that name is there does not matter. */
async function anyAfter(context: CaseContext, method: Method): Promise<void> {
  await given(context);
  const { check } = context;
  const whole = pathsOf(await listing(context, method));
  const between = whole.flatMap((path) => [path, `${path}~`, path.slice(0, -1)]);
  const strange = ["/", "/d", "/d/", "/d/\u0000", "/d/zzz", "/d/😀😀", "/e", "x", ""];
  for (const after of sortedPaths(new Set([...between, ...strange]))) {
    const rest = whole.filter((path) => path > after);
    // Limits of more than 32 bits once, in the middle of the listing.
    const large = after === whole[2] ? [2 ** 31, 2 ** 32 + 1] : [];
    for (const limit of [undefined, 0, 1, 4, 100, ...large]) {
      const options = limit === undefined ? { after } : { after, limit };
      const answer = await listing(context, method, options);
      const what = `${method} with ${show(options)}`;
      // Some read `after` as a path, and refuse what is none.
      if (NO_PATHS.has(after) && typeof answer.error === "string") continue;
      check.succeeded(answer, what, "L5");
      check.equal(pathsOf(answer), rest.slice(0, limit), `The entries of ${what}`, "L5");
      const more = limit !== undefined && rest.length > limit;
      check.equal(answer.truncated === true, more, `'truncated' of ${what}`, "L5");
      const next = more && limit > 0 ? rest[limit - 1] : answer.nextAfter;
      check.equal(answer.nextAfter, next, `'nextAfter' of ${what}`, "L5");
    }
  }
}

/** A file as base is a listing of one entry, with pages like any other. */
async function pagesOfFile(context: CaseContext): Promise<void> {
  const path = "/d/a0/x.txt";
  for (const [options, paths] of [
    [{ after: path }, []],
    [{ after: `${path}~`, limit: 1 }, []],
    [{ after: "/d/a", limit: 1 }, [path]],
    [{ limit: 1 }, [path]],
  ] as const) {
    const answer = (await context.backend.call("glob", ["**", path, options])) as Page;
    const what = `glob of a file with ${show(options)}`;
    context.check.succeeded(answer, what, "G4");
    context.check.equal(pathsOf(answer), paths, `The entries of ${what}`, "L5");
    context.check.equal(answer.truncated ?? false, false, `'truncated' of ${what}`, "L5");
  }
}

/** Patterns with alternatives that meet, with names that they begin with, and with none that match. */
const FILTERS = ["*.txt", "a*", "**/x.txt", "{a,Z}*.txt", "{a*,*.txt,**/a*}", "\uff5a/**", "none*"];

/** A page counts what the pattern lets through, and begins wherever it is asked to. */
async function filteredPages(context: CaseContext): Promise<void> {
  await given(context);
  const { check } = context;
  const every = pathsOf(await listing(context, "glob"));
  for (const pattern of FILTERS) {
    const whole = pathsOf(await listing(context, "glob", undefined, pattern));
    // In a row, and from any other file on: before the first that matches, between, and behind the last.
    for (const after of [undefined, "/", "/d/", ...every, "/d/~", "/e"])
      for (const limit of [1, 2, 5]) {
        const rest = whole.filter((path) => after === undefined || path > after);
        const options = after === undefined ? { limit } : { limit, after };
        const answer: Page = await listing(context, "glob", options, pattern);
        const what = `a page of ${limit} of glob ${show(pattern)} after ${show(after)}`;
        check.equal(pathsOf(answer), rest.slice(0, limit), `The entries of ${what}`, "L5");
        check.equal(answer.truncated === true, rest.length > limit, `'truncated' of ${what}`, "L5");
        const next = rest.length > limit ? rest[limit - 1] : undefined;
        check.equal(answer.nextAfter, next, `'nextAfter' of ${what}`, "L5");
      }
  }
}

/** Pages of listings, where the backend offers them. */
export const pageCases: readonly Case[] = [
  ...(["ls", "glob"] as const).flatMap((method): Case[] => [
    {
      id: `${method}/pages`,
      rules: ["L5", "F4", "A2", method === "ls" ? "L3" : "G1"],
      level: "core",
      needs: ["transfer"],
      why: `Pages of ${method} in a row are the whole listing, in order; the last one says that it is.`,
      run: (context) => pages(context, method),
    },
    {
      id: `${method}/any-after`,
      rules: ["L5", "F4"],
      level: "core",
      needs: ["transfer"],
      why: `${method} after any text lists what sorts after it, with a limit and without, also where nothing has that name.`,
      hint: "Compare, do not look for the entry: it may have been removed since the page before.",
      run: async (context) => {
        await anyAfter(context, method);
        if (method === "glob") await pagesOfFile(context);
      },
    },
  ]),
  {
    id: "glob/filtered-pages",
    rules: ["L5", "G1"],
    level: "core",
    needs: ["transfer"],
    why: "A page of a pattern is full as long as anything matches behind it.",
    hint: "Apply the limit to what matches, not to what was listed.",
    run: filteredPages,
  },
];
