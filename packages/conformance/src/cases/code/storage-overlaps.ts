import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { hasTime, inTurns } from "../../races/aborted-rounds.js";
import { race, range } from "../../races/race.js";
import { momentOf } from "../../races/moments.js";
import { momentsOf } from "../../races/moments-of.js";
import { lastingOf, momentsUnderWay } from "../../races/under-way.js";
import type { Case } from "../case.js";
import { sizesWithin } from "./sizes-within.js";
import { overlapCases } from "./overlap.js";

const encoder = new TextEncoder();

/** A7: of contents that are stored at once, however large, one is there whole. */
async function largeAtOnce(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check } = context;
  for (const size of sizesWithin(context, [9000, 20_000, 70_000, 300_000])) {
    const path = `/large-${size}.txt`;
    const texts = ["a", "b", "c", "d"].map((letter) => letter.repeat(size));
    const answers = await race(
      texts.map(
        (text, n) => () =>
          [backend, other][n % 2]?.uploadFiles([[path, encoder.encode(text)]]) ??
          Promise.resolve([]),
      ),
    );
    const failed = answers
      .flat()
      .filter(({ error, code }) => error !== null && code !== "conflict");
    check.equal(failed, [], `Uploads of ${size} bytes that failed`, "T1");
    const [{ content } = { content: null }] = await other.downloadFiles([path]);
    const text = new TextDecoder().decode(content ?? new Uint8Array());
    check.that(
      texts.includes(text),
      `Of contents of ${size} bytes that were stored at once, ${text.length} bytes are there that are none of them.`,
      "A7",
    );
  }
}

/** Points of a copy at which others store below its destination: its last look there is near its end. */
const POINTS = 9;

/** M6, M4: what another stores at the destination of a copy or a move, at whatever moment, is there in the end. */
async function newcomers(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend, check, profile } = context;
  const kinds = profile.move ? (["copy", "move"] as const) : (["copy"] as const);
  const names = range(20).map((n) => `${n + 10}.txt`);
  const givenAt = (top: string): Promise<void> =>
    context.given(Object.fromEntries(names.map((name) => [`${top}/${name}`, "copied\n"])));
  for (const kind of kinds) {
    await givenAt(`/whole-${kind}`);
    const lasting = await lastingOf(backend[kind](`/whole-${kind}`, `/wholly-${kind}`));
    const moments = [
      ...momentsUnderWay(lasting, POINTS).toReversed(),
      ...(await momentsOf(context)),
    ];
    const begun = performance.now();
    for (const [m, moment] of inTurns(moments).entries()) {
      if (!hasTime(context, begun, m)) break;
      context.transcript.clear();
      const [from, to] = [`/${kind}${m}/s`, `/${kind}${m}/t`];
      await givenAt(from);
      const going = backend[kind](from, to);
      await momentOf(moment);
      const mine = [`${to}/29.txt`, `${to}/15.txt`, `${to}/own.txt`];
      const written = await Promise.all(mine.map((path) => other.write(path, "mine\n")));
      await going;
      const kept = mine.filter((_, n) => {
        const answer = written[n];
        return answer !== undefined && !hasFailed(answer);
      });
      await context.holds(Object.fromEntries(kept.map((path) => [path, "mine\n"])), backend, "M6");
      check.that(kept.includes(`${to}/own.txt`), `A write beside a ${kind} should succeed.`, "A7");
    }
  }
}

/** W4, E7: parallel calls on one file meet, however its path is written. */
async function spelledApart(context: CaseContext): Promise<void> {
  const { backend, check, profile } = context;
  for (const round of range(4)) {
    const spellings = [
      `/p${round}/a.txt`,
      `//p${round}/a.txt`,
      `/p${round}/./a.txt`,
      `/p${round}//a.txt`,
    ];
    if (profile.writeMode === "create") {
      const writes = await race(spellings.map((path, n) => () => backend.write(path, `${n}`)));
      const won = writes.filter((answer) => !hasFailed(answer)).length;
      check.equal(won, 1, "The writes of one path that won, each spelled apart", "W4");
    }
    await context.given({ [`/p${round}/b.txt`]: "<0><1><2><3>\n" });
    const edits = await race(
      spellings.map((path, n) => () => backend.edit(path.replace("a.txt", "b.txt"), `<${n}>`, "x")),
    );
    const done = edits.filter((answer) => !hasFailed(answer)).length;
    const text = String((await backend.read(`/p${round}/b.txt`)).content);
    check.equal(
      text.split("x").length - 1,
      done,
      "The edits that are there, of those that succeeded",
      "E7",
    );
  }
}

/** What is stored while something else is. */
export const storageOverlaps: readonly Case[] = [
  ...overlapCases([
    {
      name: "large-at-once",
      rules: ["A7", "T1"],
      needs: ["transfer"],
      why: "Of large contents that are stored at one path at once, one is there, whole.",
      hint: "A temporary name belongs to one call: make it unique.",
      run: largeAtOnce,
    },
    {
      name: "newcomers-beside-copies",
      rules: ["M6", "A7"],
      needs: ["copy", "transfer", "writeMode=create"],
      why: "What is stored below the destination while a directory is copied to it stays, whether the copy fails or not.",
      hint: "Take back the files that the call stored, each in the version that it stored; never the directory.",
      run: newcomers,
    },
  ]),
  {
    id: "conc/spelled-apart",
    rules: ["W4", "E7", "P1"],
    level: "safe",
    needs: ["consistency=strong"],
    why: "Parallel calls on one file meet, however its path is written.",
    hint: "Make the path canonical before it names a lock or a turn.",
    run: spelledApart,
  },
];
