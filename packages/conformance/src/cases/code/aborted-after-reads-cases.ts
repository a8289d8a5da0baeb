import { setImmediate as turn } from "node:timers/promises";
import type { CaseContext } from "../../engine/case-context.js";
import type { Answered } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { hasTime } from "../../races/aborted-rounds.js";
import { momentOf } from "../../races/moments.js";
import { range } from "../../races/race.js";
import { lastingOf, momentsUnderWay, progressOf } from "../../races/under-way.js";
import type { Case } from "../case.js";
import { overlapCases } from "./overlap.js";
import { contentText } from "./pair-looks.js";

const encoder = new TextEncoder();
/** More files than are changed at once. */
const FILES = 120;
/** Of so many one is read by itself: reading all would take longer than the changes. */
const READ_ONE_OF = 4;
/** Tenths of each change after which it is aborted: first those at which most changes are in the middle of their files. */
const TENTHS = [6, 8, 4, 7, 5, 9, 2];
/** Milliseconds after which no further round begins, in any tier: a round is hundreds of calls. */
const BUDGET_MS = 10_000;
/** The point that is reached when one of some files is seen to have changed. */
const FIRST_SEEN = "the first file has changed";
/** Of so many files one is looked at until it has. */
const WATCH_ONE_OF = 25;

/** A change of all files below a directory. */
interface Change {
  readonly name: string;
  readonly call: (top: string, options: { signal: AbortSignal }) => Promise<Answered>;
}

const namesBelow = (top: string): string[] => range(FILES).map((n) => `${top}/${n % 3}/${n}.txt`);
const filesBelow = (top: string): Record<string, string> =>
  Object.fromEntries(namesBelow(top).map((path) => [path, `the first of ${path}`]));

function changesOf({ backend, profile }: CaseContext): Change[] {
  const changes: Change[] = [
    {
      name: "uploadFiles",
      call: async (top, options) => {
        const files = namesBelow(`${top}/d`).map((path): [string, Uint8Array] => [
          path,
          encoder.encode(`the second of ${path}`),
        ]);
        const answers = await backend.uploadFiles(files, options);
        return answers.find(({ error }) => error !== null) ?? {};
      },
    },
  ];
  if (profile.delete)
    changes.push({ name: "delete", call: (top, options) => backend.delete(`${top}/d`, options) });
  for (const method of ["move", "copy"] as const)
    if (profile[method])
      changes.push({
        name: method,
        call: (top, options) =>
          backend[method](`${top}/d`, `${top}/e`, { overwrite: true, ...options }),
      });
  return changes;
}

/** What each of the files is by a call for all of them; what is not there is `null`. */
async function heldBy(
  context: CaseContext,
  client: GuardedBackend,
  paths: readonly string[],
): Promise<Array<string | null>> {
  const contents = await context.contents(paths, client);
  return paths.map((path) => contentText(contents.get(path)) ?? null);
}

/** A7: a reader that knows all files sees of each what an aborted change has made of it. */
async function abortedAfterReads(context: CaseContext, other: GuardedBackend): Promise<void> {
  const measured: Array<{ change: Change; moments: readonly string[] }> = [];
  for (const [n, change] of changesOf(context).entries()) {
    const top = `/whole${n}`;
    await context.given({ ...filesBelow(`${top}/d`), ...filesBelow(`${top}/e`) });
    const lasting = await lastingOf(change.call(top, { signal: new AbortController().signal }));
    measured.push({ change, moments: momentsUnderWay(lasting, 9) });
  }
  // All changes at one point before the next: where time ends early, each has been tried.
  const rounds = [undefined, ...TENTHS].flatMap((tenth) =>
    measured.map(({ change, moments }) => ({
      change,
      moment: tenth === undefined ? FIRST_SEEN : (moments[tenth - 1] ?? "1 turns"),
    })),
  );
  const begun = performance.now();
  for (const [n, { change, moment }] of rounds.entries()) {
    if (!hasTime(context, begun, n) || performance.now() > begun + BUDGET_MS) return;
    context.transcript.clear();
    const top = `/${n}`;
    const paths = [...namesBelow(`${top}/d`), ...namesBelow(`${top}/e`)].filter(
      (_, at) => at % READ_ONE_OF === 0,
    );
    await context.given({ ...filesBelow(`${top}/d`), ...filesBelow(`${top}/e`) });
    for (const path of paths) await context.backend.read(path);
    await context.backend.glob("**", top);
    const controller = new AbortController();
    const pending = change.call(top, { signal: controller.signal });
    if (moment === FIRST_SEEN) await untilSeen(context, other, paths, pending);
    else await momentOf(moment);
    controller.abort();
    await pending;
    await requireSeen(context, other, paths, `${change.name}, aborted after ${moment}`);
  }
}

/** Waits until a client sees that one of the files has changed, or until the change is over. */
async function untilSeen(
  context: CaseContext,
  other: GuardedBackend,
  paths: readonly string[],
  pending: Promise<unknown>,
): Promise<void> {
  const watched = paths.filter((_, at) => at % Math.ceil(WATCH_ONE_OF / READ_ONE_OF) === 0);
  const state = progressOf(pending);
  const first = JSON.stringify(await heldBy(context, other, watched));
  while (!state.over && !context.signal.aborted) {
    if (JSON.stringify(await heldBy(context, other, watched)) !== first) return;
    // What is answered from a cache leaves the change no turn.
    await turn();
  }
}

/** Compares what the reader sees of each file with what is there, where that does not change in between: a change may still go on. */
async function requireSeen(
  context: CaseContext,
  other: GuardedBackend,
  paths: readonly string[],
  what: string,
): Promise<void> {
  const before = await heldBy(context, other, paths);
  const seen: Array<string | null> = [];
  for (const path of paths) {
    const { content } = await context.backend.read(path);
    seen.push(typeof content === "string" ? content : null);
  }
  const after = await heldBy(context, other, paths);
  for (const [n, path] of paths.entries())
    if (before[n] === after[n])
      context.check.equal(seen[n], after[n], `What read gives of ${path} after ${what}`, "A7");
}

/** Changes of many files that end early, and a reader that knew them all. */
export const abortedAfterReadsCases: readonly Case[] = overlapCases([
  {
    name: "aborted-after-reads",
    rules: ["A7", "A8"],
    needs: ["signals", "transfer"],
    why: "A change of many files that ends early shows in those that it has changed, also for a reader that has read them before.",
    hint: "What is kept of a file goes before or with its own change: what is done at the end of a call is not done when it ends early.",
    run: abortedAfterReads,
  },
]);
