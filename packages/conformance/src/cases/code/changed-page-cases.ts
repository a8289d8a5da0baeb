import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { sortedPaths } from "../../model/text-rules.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";
import { requireFeature } from "./feature.js";

type Method = "ls" | "glob";

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
): Promise<void> {
  requireFeature(context, "pages");
  const { check } = context;
  const names = range(9).map((n) => `/d/${n}.txt`);
  await context.given(Object.fromEntries(names.map((path) => [path, "x"])));
  const client = await clientOf();
  const { paths, nextAfter: after = "" } = await page(context, method, { limit: 3 });
  check.equal(paths, names.slice(0, 3), `The first page of ${method}`, "L5");
  check.succeeded(await client.write("/d/40.txt", "new"), "a write between two pages", "W1");
  // One that was shown, so that all others have moved on by one, and two that were not.
  check.succeeded(await client.delete("/d/1.txt"), "a delete of what was shown", "D1");
  check.succeeded(await client.delete("/d/3.txt"), "a delete between two pages", "D1");
  check.succeeded(await client.delete("/d/8.txt"), "a delete between two pages", "D1");
  const rest = sortedPaths([...names.slice(4, 8), "/d/40.txt"]);
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
      limit: 3,
      ...(from === undefined ? {} : { after: from }),
    });
    found.push(...next.paths);
    from = next.nextAfter;
  } while (from !== undefined && found.length < 2 * names.length);
  const left = ["/d/0.txt", "/d/2.txt", ...rest];
  check.equal(found, left, `The pages of ${method} in a row`, "A4");
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
