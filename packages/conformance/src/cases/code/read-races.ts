import type { CaseContext } from "../../engine/case-context.js";
import { lookingBeside, race, range, staggered } from "../../races/race.js";
import type { Case } from "../case.js";

const encoder = new TextEncoder();

/** Readers beside a writer that replaces a large file: each sees one content or the other, whole. */
async function noTornRead(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const lines = context.tier === "quick" ? 4_000 : 20_000;
  const contents = ["a", "b"].map((letter) => `${letter.repeat(50)}\n`.repeat(lines));
  const [first = "", second = ""] = contents;
  await context.given({ "/a.txt": first });
  const write = async (): Promise<void> => {
    for (const round of range(6)) {
      const text = round % 2 === 0 ? second : first;
      await backend.uploadFiles([["/a.txt", encoder.encode(text)]]);
    }
  };
  const read = async (): Promise<void> => {
    const content = (await context.contents(["/a.txt"])).get("/a.txt");
    const text = content instanceof Uint8Array ? new TextDecoder().decode(content) : content;
    check.that(
      text === first || text === second,
      `A reader saw ${text?.length ?? "no"} characters that are neither the old nor the new content.`,
    );
  };
  await lookingBeside(context, read, () => lookingBeside(context, read, write));
}

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

/** Calls on one file at once, alike but for their arguments: each is answered as if it were alone. */
async function ownArguments(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const lines = range(60).map((n) => `line ${n}\n`);
  await context.given({ "/a.txt": lines.join("") });
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
    await race([...reads, ...searches]);
  }
}

/** Races of readers against each other and against writers. */
export const readRaces: readonly Case[] = [
  {
    id: "conc/own-arguments",
    rules: ["A7", "R1", "S1"],
    level: "safe",
    needs: [],
    patience: 2,
    why: "Of calls on one file at once each is answered for its own page or pattern.",
    hint: "Nothing of a call may live in a variable that calls share, not even by path.",
    run: ownArguments,
  },
  {
    id: "conc/no-torn-read",
    rules: ["A7"],
    level: "safe",
    needs: ["transfer"],
    why: "A reader beside a writer sees the old file or the new one, never half.",
    hint: "Write to a temporary name and rename, or store in one step.",
    run: noTornRead,
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
