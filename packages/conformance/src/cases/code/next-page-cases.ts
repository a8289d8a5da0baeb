import type { CaseContext } from "../../engine/case-context.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { range } from "../../races/race.js";
import type { Case } from "../case.js";
import { overlapCases } from "./overlap.js";

/** Lines of a page; of a few, of many, and of the default. */
const LIMITS = [3, 100, 500];
const PAGES = 4;

/** R1, A7: the page that comes next is of the file as it is when it is asked for. */
async function nextPages(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  for (const limit of LIMITS) {
    const path = `/${limit}.txt`;
    const lines = range(limit * PAGES).map((n) => `line ${n} of many\n`);
    await context.given({ [path]: lines.join("") });
    for (const page of range(PAGES)) {
      const from = page * limit;
      const { content } = await backend.read(path, from, limit);
      const what = `Page ${page + 1} of ${limit} lines, after a change of it since the one before`;
      check.equal(content, lines.slice(from, from + limit).join(""), what, "R1");
      const next = from + limit + 1;
      const line = lines[next];
      if (line === undefined) break;
      lines[next] = line.replace("many", "more");
      check.succeeded(await other.edit(path, line, lines[next] ?? ""), "an edit", "E1");
      // Far above, so that all that follows lies elsewhere in the file.
      const [first = ""] = lines;
      lines[0] =
        page % 2 === 0 ? first.replace("line", "a longer line") : first.replace("of many", "");
      check.succeeded(await other.edit(path, first, lines[0]), "an edit of the first line", "E1");
    }
  }
}

/** Pages of a file that changes while it is read on. */
export const nextPageCases: readonly Case[] = overlapCases([
  {
    name: "next-page-of-a-change",
    rules: ["R1", "A7"],
    needs: [],
    why: "A file that is read page by page is read as it is at each page, not as it was at the one before.",
    hint: "A page that was fetched beforehand is old as soon as anybody changes the file.",
    run: nextPages,
  },
]);
