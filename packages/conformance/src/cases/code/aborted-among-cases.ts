import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed, type Answered } from "../../engine/checker.js";
import type { GuardedBackend } from "../../engine/guard.js";
import { hasTime, inTurns } from "../../races/aborted-rounds.js";
import { momentOf } from "../../races/moments.js";
import { range } from "../../races/race.js";
import { lastingOf, momentsUnderWay } from "../../races/under-way.js";
import type { Case } from "../case.js";
import { hasFeature } from "./feature.js";

const encoder = new TextEncoder();

const FILES = Object.fromEntries(
  // More than a search looks at in one go.
  range(130).map((n) => [`/d/${n % 3}/${String(n).padStart(3, "0")}.txt`, `needle ${n}\n`]),
);
const PATHS = Object.keys(FILES);

/** Moments at which a call has hardly begun. */
const AT_ONCE = ["0 microtasks", "1 microtasks", "5 microtasks", "1 turns"];

/** Equal calls with a signal of their own. Each is the aborted one in turn: the first or the last may be the one that others share. */
const SIGNALS = 3;

/** A read of many files or of one, with the options of its caller. */
type Read = readonly [name: string, call: (options?: { signal: AbortSignal }) => Promise<unknown>];

function readsOf(context: CaseContext): Read[] {
  const { backend, profile } = context;
  const [path = ""] = PATHS;
  const reads: Read[] = [
    ["read", (options) => backend.read(path, 0, 10, options)],
    ["readRaw", (options) => backend.readRaw(path, options)],
    ["ls", (options) => backend.ls("/d/0", options)],
    ["glob", (options) => backend.glob("**/*.txt", "/d", options)],
    ["grep", (options) => backend.grep("needle", "/d", null, null, options)],
    [
      "grep in any case",
      (options) => backend.grep("NEEDLE", "/d", null, null, { ignoreCase: true, ...options }),
    ],
  ];
  if (hasFeature(context, "pages"))
    for (const [method, ...args] of [
      ["ls", "/d/0"],
      ["glob", "**", "/d"],
    ] as const)
      reads.push([
        `a page of ${method}`,
        (options) => backend.call(method, [...args, { limit: 4, ...options }]),
      ]);
  if (hasFeature(context, "stat"))
    reads.push(["stat", (options) => backend.call("stat", [path, options])]);
  if (profile.transfer)
    reads.push(["downloadFiles", (options) => backend.downloadFiles([...PATHS], options)]);
  return reads;
}

/** The answers that an answer consists of. */
function partsOf(answer: unknown): Answered[] {
  return (Array.isArray(answer) ? answer : [answer]) as Answered[];
}

/** Whether any part of an answer was refused. */
function isRefused(answer: unknown): boolean {
  return partsOf(answer).some(hasFailed);
}

/** A8: the signal of one call is its own: equal calls that have begun with it, before it or after it, answer all the same. */
async function equals(context: CaseContext, by: GuardedBackend): Promise<void> {
  const { check } = context;
  let stored = 0;
  const storeNext = (): Promise<void> => store(context, by, ++stored);
  await context.given(FILES);
  const reads = readsOf(context);
  const moments = new Map<string, string[]>();
  for (const [name, read] of reads) {
    await storeNext();
    moments.set(name, [...AT_ONCE, ...momentsUnderWay(await lastingOf(read()), 3)]);
  }
  // All reads at one moment before the next: where time ends early, each has been tried.
  const rounds = range(AT_ONCE.length + 3).flatMap((at) =>
    range(SIGNALS).map((aborted) => [at, aborted] as const),
  );
  const begun = performance.now();
  for (const [n, [at, aborted]] of inTurns(rounds).entries())
    for (const [name, read] of reads) {
      if (!hasTime(context, begun, n)) return;
      await storeNext();
      const controllers = range(SIGNALS).map(() => new AbortController());
      const calls = [...controllers.map(({ signal }) => read({ signal })), read()];
      await momentOf(moments.get(name)?.[at] ?? "1 turns");
      controllers[aborted]?.abort();
      const answers = await Promise.all(calls);
      const whole = await read();
      check.that(!isRefused(whole), `${name} failed.`, "A1");
      for (const [k, answer] of answers.entries())
        if (k !== aborted)
          check.equal(answer, whole, `What ${name} answers when an equal call is aborted`, "A8");
    }
}

/** Stores what no file held before, so that nothing that was kept of any content answers. */
async function store(
  { check, profile }: CaseContext,
  by: GuardedBackend,
  count: number,
): Promise<void> {
  if (!profile.transfer) return;
  const [path = ""] = PATHS;
  const [stored] = await by.uploadFiles([[path, encoder.encode(`needle, stored ${count}\n`)]]);
  check.equal(stored?.error, null, "An upload", "T1");
}

/** A8, A2: what was aborted says so, or is whole. */
async function wholeOrAborted(context: CaseContext): Promise<void> {
  const { check } = context;
  await context.given(FILES);
  for (const [name, read] of readsOf(context)) {
    const pending = read();
    const lasting = await lastingOf(pending);
    const whole = await pending;
    for (const moment of inTurns(momentsUnderWay(lasting))) {
      const controller = new AbortController();
      const call = read({ signal: controller.signal });
      await momentOf(moment);
      controller.abort();
      const answer = await call;
      for (const [n, one] of partsOf(answer).entries()) {
        const what = `${name}, aborted after ${moment},`;
        if (hasFailed(one)) check.failed(one, "aborted", what, "A8");
        else
          check.equal(
            one,
            Array.isArray(whole) ? whole[n] : whole,
            `What ${what} answers without an error`,
            "A8",
          );
      }
    }
  }
}

/** Reads that are aborted among others. */
export const abortedAmongCases: readonly Case[] = [
  {
    id: "guard/aborted-among-equals",
    rules: ["A8", "A1"],
    level: "core",
    needs: ["signals"],
    patience: 2,
    why: "Equal reads at once each have a signal of their own: where one is aborted, the others answer.",
    hint: "A request that several calls share must not carry the signal of one of them.",
    run: (context) => equals(context, context.backend),
  },
  {
    id: "peer/aborted-among-equals",
    rules: ["A8", "A1"],
    level: "safe",
    needs: ["signals", "transfer", "peer", "consistency=strong", "atomicity=clients"],
    patience: 2,
    why: "Equal reads at once of what another client has just stored, and this one has nothing of, each have a signal of their own.",
    hint: "A request that several calls share must not carry the signal of one of them, whatever it is for: a path, a directory or a content.",
    run: async (context) => equals(context, await context.peer()),
  },
  {
    id: "guard/aborted-or-whole",
    rules: ["A8", "A2"],
    level: "core",
    needs: ["signals", "consistency=strong"],
    patience: 2,
    why: "A read that is aborted on the way says so, or answers all that it was asked for.",
    hint: "What was found until then is not the answer.",
    run: wholeOrAborted,
  },
];
