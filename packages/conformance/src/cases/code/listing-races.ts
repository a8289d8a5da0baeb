import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { hasTime } from "../../races/aborted-rounds.js";
import { lookingBeside, range } from "../../races/race.js";
import type { Case } from "../case.js";
import { overlapCases } from "./overlap.js";

const AGAIN = new TextEncoder().encode("hit again\n");

/** Files of a directory that storages list in several pages, of five hundred or fewer. */
const FULL = range(640).map((n) => `/d/${String(n).padStart(3, "0")}.txt`);
/** As many as pages of a hundred do not hold, for changes that each make what is listed longer. */
const PATHS = FULL.slice(0, 240);

/** The files that are there when the listings begin, those that stay, and those that may come. */
interface Listed {
  readonly paths: readonly string[];
  readonly staying: readonly string[];
  readonly coming?: readonly string[];
}

/** A7, L1: a listing names each file that is there all along, once, whatever happens to others, or to itself. */
async function wholeListings(
  context: CaseContext,
  { paths, staying, coming = [] }: Listed,
  work: (path: string) => Promise<unknown>,
): Promise<void> {
  const { backend, check } = context;
  await context.given(Object.fromEntries(paths.map((path) => [path, "hit\n"])));
  const known = new Set([...paths, ...coming]);
  const look = async (): Promise<void> => {
    const [ls, glob, grep, top] = await Promise.all([
      backend.ls("/d"),
      backend.glob("**"),
      backend.grep("hit"),
      backend.ls("/"),
    ]);
    const beside = top.files?.filter(({ path }) => path !== "/d/");
    check.equal(beside, [], "What ls lists at the top beside the directory", "A4");
    for (const [what, answer, found = []] of [
      ["ls", ls, ls.files],
      ["glob", glob, glob.files],
      ["grep", grep, grep.matches],
    ] as const) {
      check.succeeded(answer, `${what} beside changes`, "A1");
      const listed = found.map(({ path }) => path);
      const seen = new Set(listed);
      check.equal(
        seen.size,
        listed.length,
        `The number of different files that ${what} names`,
        "L1",
      );
      const missing = staying.filter((path) => !seen.has(path));
      check.equal(missing, [], `Files that ${what} left out beside changes`, "A7");
      const strange = listed.filter((path) => !known.has(path));
      check.equal(strange, [], `What ${what} names that was never stored`, "A4");
    }
  };
  const begun = performance.now();
  await lookingBeside(context, look, async () => {
    for (const [n, path] of paths.entries()) {
      if (!hasTime(context, begun, n)) return;
      await work(path);
    }
  });
}

/** Removes all but every eighth. */
async function besideRemovals(context: CaseContext, other: GuardedBackend): Promise<void> {
  const kept = FULL.filter((_, n) => n % 8 === 7);
  await wholeListings(context, { paths: FULL, staying: kept }, async (path) => {
    if (!kept.includes(path)) context.check.succeeded(await other.delete(path), "a delete", "D1");
  });
}

/** Replaces each file, and now and then makes another one beside it. */
async function besideReplacements(context: CaseContext, other: GuardedBackend): Promise<void> {
  const coming = PATHS.filter((_, n) => n % 4 === 3).map((path) => `${path}.more.txt`);
  await wholeListings(context, { paths: PATHS, staying: PATHS, coming }, async (path) => {
    const made = coming.filter((one) => one === `${path}.more.txt`);
    const files = [path, ...made].map((one): [string, Uint8Array] => [one, AGAIN]);
    const failed = (await other.uploadFiles(files)).filter(hasFailed);
    context.check.equal(failed, [], "The failures of an upload", "T1");
  });
}

const HINT = "Ask for the next page by the last name of the one before, not by how many were seen.";

/** Listings of many files, of which some come, change and go meanwhile. */
export const listingRaces: readonly Case[] = overlapCases([
  {
    name: "list-during-delete",
    rules: ["A7", "A1", "L1"],
    needs: ["transfer", "delete"],
    why: "A listing beside removals names every file that stays: what goes makes it leave out nothing else.",
    hint: HINT,
    run: besideRemovals,
  },
  {
    name: "list-during-replacement",
    rules: ["A7", "A1", "A4", "L1"],
    needs: ["transfer"],
    why: "A listing beside changes names every file once, those that are replaced meanwhile too, and nothing that a change has on its way.",
    hint: "A listing in the order of changes meets a changed file again: list in the order of names.",
    run: besideReplacements,
  },
]);
