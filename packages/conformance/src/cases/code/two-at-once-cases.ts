import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { Dice } from "../../exploration/dice.js";
import { hasTime } from "../../races/aborted-rounds.js";
import { momentOf } from "../../races/moments.js";
import { BEFORE, changesIn, type Met, outcomesOf } from "../../races/pair-calls.js";
import { contentText, looksOf, seeAll, textAt } from "./pair-looks.js";
import { lastingOf, momentsUnderWay } from "../../races/under-way.js";
import { show } from "../../report/render.js";
import { range } from "../../races/race.js";
import { overlapCases } from "./overlap.js";
import type { Case } from "../case.js";
import { versionOf } from "./version-of.js";

/** Points of the first call at which the second one begins: at once, and at shares of it. */
const POINTS = 4;

/** Rounds whose files are stored in one batch. */
const BATCH = 10;

async function givenAt(context: CaseContext, tops: readonly string[]): Promise<void> {
  const files = tops.flatMap((top) =>
    Object.entries(BEFORE).map(([path, text]) => [top + path, text] as const),
  );
  await context.given(Object.fromEntries(files));
}

/** The moments of each call at which others begin, by how long it lasts alone. */
async function pointsOf(
  context: CaseContext,
  calls: ReadonlyArray<readonly [name: string, call: (top: string) => Promise<unknown>]>,
): Promise<Map<string, string[]>> {
  const points = new Map<string, string[]>();
  await givenAt(
    context,
    calls.map((_, n) => `/alone${n}`),
  );
  for (const [n, [name, call]] of calls.entries()) {
    const lasting = await lastingOf(call(`/alone${n}`));
    points.set(name, ["0 microtasks", ...momentsUnderWay(lasting, POINTS - 1)]);
  }
  return points;
}

/** All of them in an order of the seed: what time leaves out is something else each time. */
function shuffled<T>({ seed }: CaseContext, all: readonly T[]): T[] {
  const dice = new Dice(seed);
  return all
    .map((one) => ({ one, at: dice.seed() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/** Every pair at some of its points, in full at each. */
function pointsIn({ tier }: CaseContext, n: number, some = 1): number[] {
  return tier === "quick" ? range(some).map((k) => (n + 2 * k) % POINTS) : range(POINTS);
}

/** A7, A1: two changes at once are answered, and leave what they would leave one after the other, in every view. */
async function twoChanges(context: CaseContext, other: GuardedBackend): Promise<void> {
  const { backend } = context;
  const changes = changesIn(context);
  const points = await pointsOf(
    context,
    changes.map(({ name, call }) => [name, (top) => call(backend, top)] as const),
  );
  const pairs = changes.flatMap((first, i) =>
    changes.flatMap((second, j) =>
      // Of two removals of one directory both may find a part of it.
      first === second && first.name === "delete of its directory"
        ? []
        : pointsIn(context, i + j).map((point) => ({ first, second, point })),
    ),
  );
  await rounds(context, pairs, async ({ first, second, point }, top) => {
    const moment = points.get(first.name)?.[point] ?? "1 turns";
    const one = first.call(backend, top);
    await momentOf(moment);
    const two = second.call(other, top);
    const calls = [
      { change: first, answer: await one },
      { change: second, answer: await two },
    ];
    await requireExplained(context, [backend, other], { top, calls, moment });
  });
}

/** Each in a directory of its own, as long as there is time. */
async function rounds<T>(
  context: CaseContext,
  all: readonly T[],
  round: (one: T, top: string) => Promise<void>,
): Promise<void> {
  const begun = performance.now();
  for (const [n, one] of shuffled(context, all).entries()) {
    if (!hasTime(context, begun, n)) return;
    context.transcript.clear();
    if (n % BATCH === 0)
      await givenAt(
        context,
        range(BATCH).map((k) => `/${n + k}`),
      );
    await round(one, `/${n}`);
  }
}

/** Two calls that met, in the directory of their round. */
interface Meeting {
  readonly top: string;
  readonly calls: readonly Met[];
  readonly moment: string;
}

/** Whether a copy and its source have the same version here, or none: a move cannot tell them apart (M9). */
function copiesSeemOne(context: CaseContext): Promise<boolean> {
  return context.once("copies-seem-one", async () => {
    if (!context.profile.versions) return true;
    await context.given({ "/alike/a.txt": "alike\n", "/alike/b.txt": "alike\n" });
    return (
      (await versionOf(context, "/alike/a.txt")) === (await versionOf(context, "/alike/b.txt"))
    );
  });
}

async function requireExplained(
  context: CaseContext,
  clients: readonly GuardedBackend[],
  { top, calls, moment }: Meeting,
): Promise<void> {
  const { check } = context;
  const said = calls
    .map(({ change, answer }) =>
      hasFailed(answer)
        ? `${change.name}, refused with ${show(answer.code)}`
        : `${change.name}, acknowledged`,
    )
    .join(`; after ${moment} `);
  const outcomes = outcomesOf(context, top, calls, await copiesSeemOne(context));
  check.that(outcomes.length > 0, `No order of the two explains their answers: ${said}.`, "A7");
  const paths = [...new Set(outcomes.flatMap(({ model }) => [...model.files.keys()]))];
  const there = await context.contents(paths);
  const left = outcomes.find(({ model }) =>
    paths.every((path) => contentText(there.get(path)) === textAt(model, path)),
  );
  check.that(
    left !== undefined,
    `No order of the two leaves what is there: ${said}. There is ${show(Object.fromEntries(paths.map((path) => [path, contentText(there.get(path)) ?? null])))}.`,
    "A7",
  );
  if (left === undefined) return;
  await Promise.all(
    [...new Set(clients)].map((client) => seeAll(context, client, { model: left.model, top })),
  );
}

/** A7: what a look has met on its way is not what is there: what the change left is, in every later look. */
async function overtakenLooks(context: CaseContext, other: GuardedBackend): Promise<void> {
  const looks = looksOf(context, context.backend);
  const points = await pointsOf(context, looks);
  const pairs = looks.flatMap((look, i) =>
    changesIn(context).flatMap((change, j) =>
      pointsIn(context, i + j, 2).map((point) => ({ look, change, point })),
    ),
  );
  await rounds(context, pairs, async ({ look: [name, see], change, point }, top) => {
    const moment = points.get(name)?.[point] ?? "1 turns";
    const pending = see(top);
    await momentOf(moment);
    const answer = await change.call(other, top);
    await pending;
    const calls = [{ change, answer }];
    await requireExplained(context, [context.backend, other], { top, calls, moment });
  });
}

/** Every two calls that have business with one file, at once. */
export const twoAtOnceCases: readonly Case[] = overlapCases([
  {
    name: "two-changes",
    rules: ["A7", "A1", "W4", "E7", "D1", "M1"],
    needs: ["transfer"],
    why: "Two changes of a file or of its directory, the second begun at any point of the first, are answered and leave what they would leave one after the other, in every view.",
    hint: "What a change does in several steps is done under a condition, or under a lock that covers the file and the directories above it.",
    run: twoChanges,
  },
  {
    name: "overtaken-looks",
    rules: ["A7"],
    needs: ["transfer"],
    why: "A look that a change overtakes leaves nothing behind: every later look shows what the change has left.",
    hint: "Keep in a cache only what nothing has changed while it was fetched.",
    run: overtakenLooks,
  },
]);
