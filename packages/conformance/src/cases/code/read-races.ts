import type { GlobResult, LsResult } from "@fs/protocol";
import type { CaseContext } from "../../engine/case-context.js";
import { momentOf } from "../../races/moments.js";
import { lookingBeside, race, range, staggered } from "../../races/race.js";
import type { Case } from "../case.js";
import { hasFeature } from "./feature.js";

const encoder = new TextEncoder();

/** Listings beside writes: no error, nothing twice, everything acknowledged before is there. */
async function listDuringWrites(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const acknowledged = new Set<string>();
  const write = async (): Promise<void> => {
    for (const n of range(20)) {
      const path = `/d/${String(n).padStart(2, "0")}.txt`;
      const { error } = await backend.write(path, "hit");
      if (error === undefined) acknowledged.add(path);
    }
  };
  const list = async (): Promise<void> => {
    const before = [...acknowledged];
    const ls = await backend.ls("/d");
    const glob = await backend.glob("d/*.txt");
    const grep = await backend.grep("hit", "/");
    check.succeeded(glob, "glob beside writes");
    check.succeeded(grep, "grep beside writes");
    const views = [ls.files ?? [], glob.files ?? [], grep.matches ?? []];
    for (const [index, view] of views.entries()) {
      if (index === 0 && ls.error !== undefined && before.length === 0) continue;
      const paths = view.map(({ path }) => path);
      check.equal(new Set(paths).size, paths.length, "The number of distinct entries of a listing");
      const missing = before.filter((path) => !paths.includes(path));
      check.equal(missing, [], "Acknowledged files that a listing left out");
    }
  };
  await lookingBeside(context, list, write);
}

/** A file whose lines all hold its number, not always from the same line on. */
function numbered(n: number): [path: string, content: Uint8Array] {
  const text = `${"filler\n".repeat(n % 3)}before ${n}\nneedle ${n}\nafter ${n}\n`;
  return ["/a.txt", encoder.encode(text)];
}

/** A7: a match and the lines around it are of one content of the file. */
async function contextOfOneContent(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  await backend.uploadFiles([numbered(0)]);
  for (const n of range(context.tier === "quick" ? 60 : 400)) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const pending = backend.grep("needle", "/", null, null, { before: 1, after: 1 });
    // Another moment in each round: a few steps after the search has begun, or a few turns.
    await momentOf(n % 5 === 4 ? `${n % 7} turns` : `${n} microtasks`);
    await backend.uploadFiles([numbered(n + 1)]);
    const answer = await pending;
    check.succeeded(answer, "grep beside an upload", "A7");
    for (const { text, ...around } of answer.matches ?? []) {
      const which = text.slice("needle ".length);
      check.equal(
        [around.before, around.after],
        [[`before ${which}`], [`after ${which}`]],
        `The lines around ${JSON.stringify(text)}`,
        "A7",
      );
    }
  }
}

/** Calls on one file at once, alike but for their arguments: each is answered as if it were alone. */
async function ownArguments(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const lines = range(60).map((n) => `line ${n}\n`);
  const listed = range(9).map((n): [string, string] => [`/d/${n}.txt`, ""]);
  await context.given({ "/a.txt": lines.join(""), ...Object.fromEntries(listed) });
  const pages = range(8).map((n): readonly [number, number] => [n * 7, (n % 3) + 1]);
  for (const round of range(context.tier === "quick" ? 12 : 60)) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const reads = pages.map(([offset, limit], n) => async (): Promise<void> => {
      const { content } = await staggered(round, n, () => backend.read("/a.txt", offset, limit));
      const page = lines.slice(offset, offset + limit).join("");
      check.equal(content, page, `The page of ${limit} from ${offset}, read beside others`, "A7");
    });
    const searches = range(4).map((n) => async (): Promise<void> => {
      const pattern = `line ${n + 1}`;
      const { matches } = await staggered(round, n, () => backend.grep(pattern, "/a.txt", null, 2));
      check.equal(
        matches?.map(({ text }) => text),
        [pattern, `${pattern}0`],
        `What grep finds of '${pattern}', searched for beside others`,
        "A7",
      );
    });
    const listings = range(6).map((n) => async (): Promise<void> => {
      const limit = (n % 3) + 1;
      const after = n < 3 ? undefined : `/d/${n - 3}.txt`;
      const from = n < 3 ? 0 : n - 2;
      const page = range(9)
        .map((k) => `/d/${k}.txt`)
        .slice(from, from + limit);
      const options = after === undefined ? { limit } : { limit, after };
      const what = `beside others, with ${JSON.stringify(options)}`;
      const inside = await staggered(round, n, () => backend.call("ls", ["/d", options]));
      const names = (inside as LsResult).files?.map(({ path }) => path);
      check.equal(names, page, `What ls lists ${what}`, "A7");
      const found = await staggered(round, n, () => backend.call("glob", ["*.txt", "/d", options]));
      const globbed = (found as GlobResult).files?.map(({ path }) => path);
      check.equal(globbed, page, `What glob finds ${what}`, "A7");
    });
    await race([...reads, ...searches, ...(hasFeature(context, "pages") ? listings : [])]);
  }
}

/** Races of readers against each other and against writers. */
export const readRaces: readonly Case[] = [
  {
    id: "conc/own-arguments",
    rules: ["A7", "R1", "S1", "L5"],
    level: "safe",
    needs: [],
    patience: 2,
    why: "Of calls on one file or directory at once each is answered for its own page or pattern.",
    hint: "Nothing of a call may live in a variable that calls share, not even by path.",
    run: ownArguments,
  },
  {
    id: "conc/context-of-one-content",
    rules: ["A7", "S8"],
    level: "safe",
    needs: ["transfer", "codes"],
    why: "The lines around a match are those of the content in which it was found, even if the file is changed meanwhile.",
    hint: "Search and cut the lines out of one text, not out of two reads.",
    run: contextOfOneContent,
  },
  {
    id: "conc/list-during-write",
    rules: ["A7", "A2"],
    level: "safe",
    needs: [],
    why: "Listing and searching beside writes neither fails nor repeats nor leaves out what was acknowledged before.",
    run: listDuringWrites,
  },
  {
    id: "conc/grep-during-delete",
    rules: ["A1", "A2"],
    level: "safe",
    needs: ["delete"],
    why: "A file that vanishes in the middle of a search is left out; the search succeeds.",
    hint: "Between listing and reading a file may go. That is no failure of the search.",
    run: async (context) => {
      const { backend, check } = context;
      const paths = range(20).map((n) => `/d/${n}.txt`);
      await context.given(
        Object.fromEntries([...paths.map((path) => [path, "hit\n"]), ["/keep.txt", "hit\n"]]),
      );
      const [searches] = await race<Array<{ error?: string }>>([
        () => Promise.all(range(5).map(() => backend.grep("hit"))),
        () => Promise.all(paths.map((path) => backend.delete(path))),
      ]);
      for (const search of searches ?? []) check.succeeded(search, "grep beside deletes");
      check.equal(
        (await backend.grep("hit")).matches?.map(({ path }) => path),
        ["/keep.txt"],
        "What is left",
      );
    },
  },
];
