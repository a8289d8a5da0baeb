import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { hasTime, inTurns } from "../../races/aborted-rounds.js";
import { momentOf } from "../../races/moments.js";
import { awaitedLater, lastingOf, momentsUnderWay } from "../../races/under-way.js";
import type { Case } from "../case.js";
import { contentText } from "./pair-looks.js";
import { overlapCases } from "./overlap.js";

/** Moments of a change at which looks begin: each is a short part of it, late ones above all. */
const MOMENTS = 16;

/** Milliseconds after which no further round begins, in any tier: a round is some forty calls. */
const BUDGET_MS = 10_000;

/** What a look sees of a file: its text, whether it is there, or `undefined` for nothing. */
type Seen = string | boolean | undefined;
type Look = readonly [name: string, look: (path: string) => Promise<Seen>];

function looksOf({ backend, profile }: CaseContext): Look[] {
  const looks: Look[] = [
    ["read", async (path) => contentText((await backend.read(path)).content)],
    ["readRaw", async (path) => contentText((await backend.readRaw(path)).data?.content)],
    [
      "ls",
      async (path) =>
        (await backend.ls(path.slice(0, path.lastIndexOf("/")))).files?.some(
          (file) => file.path === path,
        ) ?? false,
    ],
    [
      "glob",
      async (path) => (await backend.glob(path)).files?.some((file) => file.path === path) ?? false,
    ],
    [
      "grep",
      async (path) => (await backend.grep("n", path)).matches?.map(({ text }) => text).join(),
    ],
  ];
  if (backend.has("stat"))
    looks.push([
      "stat",
      async (path) => !hasFailed((await backend.call("stat", [path])) as Answered),
    ]);
  if (profile.transfer)
    looks.push([
      "downloadFiles",
      async (path) => contentText((await backend.downloadFiles([path]))[0]?.content ?? undefined),
    ]);
  return looks;
}

/** A change of one file: what it is before, and afterwards. */
interface Change {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly make: (path: string) => Promise<Answered>;
}

function changesOf({ profile }: CaseContext, other: GuardedBackend): Change[] {
  const changes: Change[] = [
    { name: "write", before: undefined, after: "new", make: (path) => other.write(path, "new") },
    {
      name: "edit",
      before: "ancient",
      after: "new",
      make: (path) => other.edit(path, "ancient", "new"),
    },
  ];
  if (profile.delete)
    changes.push({
      name: "delete",
      before: "ancient",
      after: undefined,
      make: (path) => other.delete(path),
    });
  if (profile.move)
    changes.push({
      name: "move",
      before: "ancient",
      after: undefined,
      make: (path) => other.move(path, `${path}-moved`),
    });
  return changes;
}

/** A7: what was asked before a change is answered neither again after it, nor to those who ask after it. */
async function lateAnswers(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { check } = context;
  const looks = looksOf(context);
  const changes = changesOf(context, other);
  const rounds: Array<{ change: Change; moment: string }> = [];
  for (const change of changes) {
    const path = `/whole/${change.name}.txt`;
    if (change.before !== undefined) await context.given({ [path]: change.before });
    const moments = momentsUnderWay(await lastingOf(change.make(path)), MOMENTS).toReversed();
    rounds.push(...inTurns(moments).map((moment) => ({ change, moment })));
  }
  const begun = performance.now();
  // Each change at some of its moments before all at all of them, where time ends early.
  const spread = rounds.map(
    (_, n) => rounds[(n * MOMENTS + Math.floor(n / changes.length)) % rounds.length],
  );
  for (const [n, round] of spread.entries()) {
    if (round === undefined || !hasTime(context, begun, n)) break;
    if (performance.now() > begun + BUDGET_MS) break;
    context.transcript.clear();
    const { change, moment } = round;
    const paths = [...looks.keys()].map((look) => `/${n}/${look}/a.txt`);
    if (change.before !== undefined) {
      const text = change.before;
      await context.given(Object.fromEntries(paths.map((path) => [path, text])));
    }
    const ask = (): Promise<Seen[]> =>
      awaitedLater(Promise.all(looks.map(async ([, look], at) => look(paths[at] ?? "/"))));
    const changing = awaitedLater(Promise.all(paths.map(async (path) => change.make(path))));
    await momentOf(moment);
    const early = ask();
    for (const answer of await changing) check.succeeded(answer, change.name, "A7");
    // Answers that come after the late ones would take their place.
    const next = Math.floor(n / changes.length) % 2 === 0 ? ask() : undefined;
    // A look at another file brings a client up to date, before what was asked earlier is answered.
    const aside = context.backend.read("/aside.txt");
    await Promise.all([early, aside]);
    const seen = [
      ...(next === undefined
        ? []
        : [["while those asked before it were under way", await next] as const]),
      ["and once those asked before it were answered", await ask()] as const,
    ];
    for (const [when, answers] of seen)
      for (const [at, [name]] of looks.entries()) {
        const isThere = change.after !== undefined;
        const wanted = typeof answers[at] === "boolean" ? isThere : (change.after ?? "");
        const what = `What ${name} shows after a ${change.name}, ${when}, which it was asked at after ${moment} too,`;
        check.equal(answers[at] ?? "", wanted, what, "A7");
      }
  }
}

/** Looks that are under way when a change is made, and those that are asked for the same afterwards. */
export const lateAnswerCases: readonly Case[] = overlapCases([
  {
    name: "late-answers",
    rules: ["A7", "A4"],
    needs: [],
    why: "A look that is asked for after a change shows it, also where the same look was under way before the change, and once that is answered.",
    hint: "What was sent before a change is no answer to those who ask after it, and is not kept.",
    run: lateAnswers,
  },
]);
