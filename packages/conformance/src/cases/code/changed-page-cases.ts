import { setTimeout as delay } from "node:timers/promises";
import type { CaseContext } from "../../engine/case-context.js";
import type { Answered } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { sortedPaths } from "../../model/text-rules.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";
import { requireFeature } from "./feature.js";

type Method = "ls" | "glob";

/** Entries of a directory that is worth keeping for its next page. */
const MANY = 640;

interface Page {
  readonly files?: ReadonlyArray<{ readonly path: string }>;
  readonly nextAfter?: string;
}

async function page(
  { backend }: CaseContext,
  method: Method,
  options: { limit?: number; after?: string },
): Promise<{ paths: string[]; nextAfter: string | undefined }> {
  const args = method === "ls" ? ["/d", options] : ["**", "/d", options];
  const { files = [], nextAfter } = (await backend.call(method, args)) as Page;
  return { paths: files.map(({ path }) => path), nextAfter };
}

/** L5, A4: each page is a listing of its own, and shows what has come and gone since the one before. */
async function pagesBesideChanges(
  context: CaseContext,
  method: Method,
  clientOf: () => Promise<GuardedBackend>,
  more = 0,
): Promise<void> {
  requireFeature(context, "pages");
  const { check } = context;
  const names = range(9).map((n) => `/d/${n}.txt`);
  const among = range(more).map((n) => `/d/45-${String(n).padStart(3, "0")}.txt`);
  await context.given(Object.fromEntries([...names, ...among].map((path) => [path, "x"])));
  const client = await clientOf();
  const { paths, nextAfter: after = "" } = await page(context, method, { limit: 3 });
  check.equal(paths, names.slice(0, 3), `The first page of ${method}`, "L5");
  check.succeeded(await client.write("/d/40.txt", "new"), "a write between two pages", "W1");
  // One that was shown, so that all others have moved on by one, and two that were not.
  check.succeeded(await client.delete("/d/1.txt"), "a delete of what was shown", "D1");
  check.succeeded(await client.delete("/d/3.txt"), "a delete between two pages", "D1");
  check.succeeded(await client.delete("/d/8.txt"), "a delete between two pages", "D1");
  const rest = sortedPaths([...names.slice(4, 8), ...among, "/d/40.txt"]);
  for (const limit of [2, rest.length]) {
    const next = await page(context, method, { limit, after });
    const what = `The page of ${limit} of ${method}, after changes since the one before`;
    check.equal(next.paths, rest.slice(0, limit), what, "L5");
  }
  // From the front once more: the removed one is in no page, the new one in its own.
  const found: string[] = [];
  let from: string | undefined;
  do {
    const next = await page(context, method, {
      limit: more === 0 ? 3 : Math.ceil(more / 2),
      ...(from === undefined ? {} : { after: from }),
    });
    found.push(...next.paths);
    from = next.nextAfter;
  } while (from !== undefined && found.length < 2 * (names.length + more));
  const left = ["/d/0.txt", "/d/2.txt", ...rest];
  check.equal(found, left, `The pages of ${method} in a row`, "A4");
}

/** L4, G4: a directory that is gone has no further pages: a page of it is refused as the listing is. */
async function pagesOfWhatIsGone(context: CaseContext, method: Method): Promise<void> {
  requireFeature(context, "pages");
  const { backend, check } = context;
  await context.given(Object.fromEntries(range(9).map((n) => [`/d/${n}.txt`, "x"])));
  const { nextAfter: after = "" } = await page(context, method, { limit: 3 });
  check.succeeded(await backend.delete("/d"), "a delete of the directory between two pages", "D1");
  const args = (options: object): unknown[] =>
    method === "ls" ? ["/d", options] : ["**", "/d", options];
  for (const options of [{ limit: 3, after }, { after }, { limit: 3 }]) {
    const answer = (await backend.call(method, args(options))) as Answered;
    const what = `${method} with ${JSON.stringify(options)} of a directory that is gone`;
    check.failed(answer, "not_found", what, method === "ls" ? "L4" : "G4");
  }
}

/** What a change of its time must be apart from its creation, in milliseconds, to be seen where times are kept that finely. */
const APART_MS = 20;

/** L2, L5: an entry of a page says what that of the whole listing says. */
async function pagesInFull(context: CaseContext, method: Method): Promise<void> {
  requireFeature(context, "pages");
  const { backend, check } = context;
  const names = range(6).map((n) => `/d/${n}.txt`);
  await context.given({
    ...Object.fromEntries(names.map((path, n) => [path, "x".repeat(n + 1)])),
    "/d/e/f.txt": "below",
  });
  await delay(APART_MS);
  for (const path of names.slice(0, 4))
    check.succeeded(await backend.edit(path, "x", "é", true), `edit of ${path}`, "E1");
  const args = (options: object): unknown[] =>
    method === "ls" ? ["/d", options] : ["**", "/d", options];
  const filesOf = async (options: object): Promise<readonly unknown[]> =>
    ((await backend.call(method, args(options))) as Page).files ?? [];
  const whole = await filesOf({});
  for (const limit of [1, 4, whole.length + 1])
    check.equal(
      await filesOf({ limit }),
      whole.slice(0, limit),
      `The entries of a page of ${limit} of ${method}, as in the whole`,
      "L5",
    );
}

/** Pages between which something changes. */
export const changedPageCases: readonly Case[] = (["ls", "glob"] as const).flatMap(
  (method): Case[] => [
    {
      id: `${method}/pages-beside-changes`,
      rules: ["L5", "A4", "F4"],
      level: "core",
      needs: ["transfer", "delete"],
      why: `A page of ${method} shows what has come and gone since the page before.`,
      hint: "What the first page has seen is no part of the next: list again, from 'after' on.",
      run: (context) => pagesBesideChanges(context, method, async () => context.backend),
    },
    {
      id: `${method}/pages-of-many-beside-changes`,
      rules: ["L5", "A4"],
      level: "core",
      needs: ["transfer", "delete"],
      why: `A page of ${method} of a large directory shows what has come and gone since the page before.`,
      hint: "A listing that is kept for its next pages is out of date once something changes.",
      run: (context) => pagesBesideChanges(context, method, async () => context.backend, MANY),
    },
    {
      id: `${method}/pages-of-what-is-gone`,
      rules: [method === "ls" ? "L4" : "G4", "L5"],
      level: "core",
      needs: ["transfer", "delete"],
      why: `A page of ${method} of a directory that was removed since the page before is not_found, as the whole would be.`,
      hint: "The end of the pages and the end of the directory are two answers.",
      run: (context) => pagesOfWhatIsGone(context, method),
    },
    {
      id: `${method}/pages-in-full`,
      rules: ["L2", "L5"],
      level: "core",
      needs: ["transfer"],
      why: `The entries of a page of ${method} say what those of the whole say: sizes and times too.`,
      hint: "Make entries in one place, for the listing and for its pages.",
      run: (context) => pagesInFull(context, method),
    },
    {
      id: `peer/${method}-pages-beside-changes`,
      rules: ["L5", "A4", "F4"],
      level: "safe",
      needs: ["transfer", "delete", "peer", "consistency=strong", "atomicity=clients"],
      why: `A page of ${method} shows what another client has changed since the page before.`,
      hint: "A cursor over what was there once answers for a tree that is gone.",
      run: (context) => pagesBesideChanges(context, method, () => context.peer()),
    },
  ],
);
