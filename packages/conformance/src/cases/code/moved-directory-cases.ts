import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { momentOf } from "../../races/moments.js";
import { momentsOf } from "../../races/moments-of.js";
import { race, range } from "../../races/race.js";
import type { Case } from "../case.js";
import { overlapCases } from "./overlap.js";

const encoder = new TextEncoder();

/** A7, M1: what is stored at a path is there, also where the directory that this client knew there has gone elsewhere. */
async function storedAtTheOldPath(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check, profile } = context;
  const uploaded = async (path: string): Promise<Answered> =>
    (await backend.uploadFiles([[path, encoder.encode("new\n")]]))[0] ?? {};
  type Store = (path: string, source: string) => Promise<Answered>;
  const stores: ReadonlyArray<readonly [name: string, store: Store]> = [
    ["write", (path) => backend.write(path, "new\n")],
    ["uploadFiles", uploaded],
    ["move", (path, source) => backend.move(source, path)],
    ...(profile.copy
      ? ([["copy", (path: string, source: string) => backend.copy(source, path)]] as const)
      : []),
  ];
  const names = ["c.txt", "sub/d.txt"];
  for (const [n, [method, store]] of stores.entries()) {
    const [from, to, sources] = [`/from${n}/d`, `/to${n}/d`, `/sources${n}`];
    await context.given(Object.fromEntries(names.map((name) => [`${sources}/${name}`, "new\n"])));
    // Both the directory and one in it, as this client has made and seen them.
    for (const path of [`${from}/a.txt`, `${from}/sub/b.txt`])
      check.succeeded(await backend.write(path, "old\n"), "a write", "W1");
    await backend.ls(from);
    await backend.ls(`${from}/sub`);
    check.succeeded(await other.move(from, to), "a move of a directory", "M1");
    for (const name of names) {
      const what = `${method} into a directory that was moved away`;
      check.succeeded(await store(`${from}/${name}`, `${sources}/${name}`), what, "A7");
    }
    await context.holds({
      [`${from}/a.txt`]: null,
      [`${from}/sub/b.txt`]: null,
      [`${from}/c.txt`]: "new\n",
      [`${from}/sub/d.txt`]: "new\n",
      [`${to}/a.txt`]: "old\n",
      [`${to}/sub/b.txt`]: "old\n",
      [`${to}/c.txt`]: null,
      [`${to}/sub/d.txt`]: null,
    });
  }
}

/** M2, A7: two directories that go into each other at once are somewhere afterwards, with all that they held. */
async function intoEachOther(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  let done = 0;
  for (const round of range(context.tier === "quick" ? 8 : 40)) {
    if (context.signal.aborted) return;
    context.transcript.clear();
    const [one, two] = [`/r${round}/one`, `/r${round}/two`];
    await context.given({ [`${one}/in/a.txt`]: "a\n", [`${two}/in/b.txt`]: "b\n" });
    const answers = await race<Answered>([
      () => backend.move(one, `${two}/${round % 2 === 0 ? "one" : "in/one"}`),
      () => other.move(two, `${one}/${round % 2 === 0 ? "two" : "in/two"}`),
    ]);
    done += answers.filter((answer) => !hasFailed(answer)).length;
    const { files = [] } = await backend.glob("**", `/r${round}`);
    const contents = await context.contents(files.map(({ path }) => path));
    const texts = [...contents.values()].map((content) =>
      content instanceof Uint8Array ? new TextDecoder().decode(content) : content,
    );
    check.equal(
      texts.toSorted(),
      ["a\n", "b\n"],
      "The contents that are left of two directories that were moved into each other",
      "M2",
    );
  }
  // Each may refuse to meet the other, but not always.
  check.that(done > 0, "Of all moves of two directories into each other none was done.", "M1");
}

/** A7, M2: a file that another client creates where a directory goes stays, also where the directory can then not go there. */
async function fileWhereACopyGoes(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  const names = range(6).map((n) => `s${n % 2}/${n}.txt`);
  for (const [m, moment] of (await momentsOf(context)).entries())
    for (const kind of KINDS.filter((one) => context.profile[one])) {
      if (context.signal.aborted) return;
      const [from, to] = [`/${kind}${m}/from`, `/${kind}${m}/to`];
      const sources = Object.fromEntries(names.map((name) => [`${from}/${name}`, "here\n"]));
      await context.given(sources);
      const going = backend[kind](from, to);
      await momentOf(moment);
      const [stored] = await other.uploadFiles([[to, encoder.encode("of another\n")]]);
      const gone = await going;
      if (stored?.error == null) await context.holds({ [to]: "of another\n" }, backend, "A7");
      if (hasFailed(gone)) await context.holds(sources, backend, "M2");
      else
        check.that(
          stored?.error != null || context.profile.collisions === "allowed",
          `${kind} of a directory, and an upload to where it goes after ${moment}, should not both succeed.`,
          "W2",
        );
    }
}

const KINDS = ["move", "copy"] as const;

/** Directories that are moved away while other calls use them. */
export const movedDirectoryCases: readonly Case[] = overlapCases([
  {
    name: "stored-where-a-directory-was",
    rules: ["A7", "M1", "W1"],
    needs: ["transfer", "move"],
    why: "What is stored below the path of a directory that was moved away is at that path, and not where the directory went.",
    hint: "A directory that is remembered by an identifier is elsewhere after a move: look it up by its path.",
    run: storedAtTheOldPath,
  },
  {
    name: "moves-into-each-other",
    rules: ["M2", "A7", "M1"],
    needs: ["transfer", "move"],
    why: "Of two directories that are moved into each other at once nothing is lost.",
    hint: "Whether the destination lies in the source is part of the move, not looked at before it.",
    run: intoEachOther,
  },
  {
    name: "file-where-a-directory-goes",
    rules: ["A7", "M2", "W2"],
    needs: ["transfer", "move"],
    why: "A file that is made where a directory is about to go stays, and then the directory stays where it was.",
    hint: "What is taken back is what the call has made: nothing else at the destination is.",
    run: fileWhereACopyGoes,
  },
]);
