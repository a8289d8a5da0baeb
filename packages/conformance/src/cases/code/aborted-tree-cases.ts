import { setTimeout as delay } from "node:timers/promises";
import type { CaseContext, Content } from "../../engine/case-context.js";
import { hasFailed } from "../../engine/checker.js";
import { momentOf, MOMENTS } from "../../races/moments.js";
import { range } from "../../races/race.js";
import { saysUnsettled } from "../../matrix/settling.js";
import type { Case } from "../case.js";

const decoder = new TextDecoder();

type Kind = "move" | "copy";

/** Files of the directory: more than any engine copies at once. */
const FILES = 30;
/** When the signal fires, as shares of the time that the same call takes undisturbed. */
const SHARES = [0.1, 0.25, 0.4, 0.6, 0.8];

const PATHS = range(FILES).map((n) => `/${n % 3}/${"s/".repeat(n % 2)}f${n}.txt`);
/** What is at the destination before, in a round with `overwrite`. */
const BEFORE = { "/0/f0.txt": "replaced\n", "/own.txt": "own\n" };

/** The directory of a round, in which each file holds its own path. */
function sourceOf(round: string): Record<string, string> {
  return Object.fromEntries(PATHS.map((path) => [`/${round}/from${path}`, path]));
}

/** M2: what was aborted while it copied has taken back what it copied, and nothing is ever gone from both places. */
async function abortedMidway(context: CaseContext, kind: Kind): Promise<void> {
  const { backend } = context;
  await context.given(sourceOf("whole"));
  const begun = performance.now();
  context.check.succeeded(await backend[kind]("/whole/from", "/whole/to"), kind, "M1");
  const whole = performance.now() - begun;
  const moments = [
    ...SHARES.map((share) => () => delay(whole * share)),
    ...["2 microtasks", "10 microtasks", "1 turns"].map((moment) => () => momentOf(moment)),
  ];
  for (const [n, moment] of moments.entries())
    for (const overwrite of [false, true]) {
      const round = `r${n}${overwrite ? "o" : ""}`;
      const before = Object.entries(overwrite ? BEFORE : {}).map(([path, text]) => [
        `/${round}/to${path}`,
        text,
      ]);
      await context.given({ ...sourceOf(round), ...Object.fromEntries(before) });
      const controller = new AbortController();
      const pending = backend[kind](`/${round}/from`, `/${round}/to`, {
        ...(overwrite ? { overwrite } : {}),
        signal: controller.signal,
      });
      await moment();
      controller.abort();
      const answer = await pending;
      if (!hasFailed(answer)) continue;
      const unsettled = saysUnsettled(answer.error);
      await judge(context, kind, { round, before: Object.fromEntries(before), unsettled });
    }
}

function isText(content: Content | undefined, text: string): boolean {
  return (typeof content === "string" ? content : decoder.decode(content)) === text;
}

async function judge(
  context: CaseContext,
  kind: Kind,
  {
    round,
    before,
    unsettled,
  }: { round: string; before: Readonly<Record<string, string>>; unsettled: boolean },
): Promise<void> {
  const { check } = context;
  const [from, to] = [`/${round}/from`, `/${round}/to`];
  // First the sources: what has left them by then has arrived before, also where the change still goes on.
  const sources = await context.contents(PATHS.map((path) => from + path));
  const targets = await context.contents(PATHS.map((path) => to + path));
  const arrived = PATHS.filter((path) => isText(targets.get(to + path), path));
  const gone = PATHS.filter((path) => !isText(sources.get(from + path), path));
  if (kind === "copy") check.equal(gone, [], "The sources that an aborted copy changed", "M2");
  const lost = gone.filter((path) => !arrived.includes(path));
  check.equal(lost, [], `What an aborted ${kind} left at neither place`, "A7");
  // Once sources are removed, all of them have arrived (M8).
  if (unsettled || gone.length > 0) return;
  check.equal(
    arrived,
    [],
    `What an aborted ${kind}, of which nothing is unknown, left there`,
    "M2",
  );
  await context.holds(before, context.backend, "M6");
}

/** What says that a removal was not made whole. */
const SAYS_PART = /\b(?:part|partly|some|gone|left|removed)\b/i;

/** Files of a directory that no storage removes in one request, if it removes them in batches. */
const REMOVED = 250;

/** A7: a removal that ended early says that a part is gone. */
async function removalAborted(context: CaseContext): Promise<void> {
  const { backend, check } = context;
  const paths = range(REMOVED).map((n) => `/d/${n % 5}/${n}.txt`);
  const files = Object.fromEntries(paths.map((path) => [path, "x"]));
  await context.given(files);
  const begun = performance.now();
  check.succeeded(await backend.delete("/d"), "delete of a directory", "D1");
  const whole = performance.now() - begun;
  const moments = [
    ...MOMENTS.map((moment) => () => momentOf(moment)),
    ...SHARES.map((share) => () => delay(whole * share)),
  ];
  const count = async (): Promise<number> => {
    const found = await backend.glob("**");
    check.succeeded(found, "glob", "G1");
    return found.files?.length ?? 0;
  };
  let there = 0;
  for (const moment of moments) {
    if (there === 0) await context.given(files);
    const controller = new AbortController();
    const before = await count();
    const pending = backend.delete("/d", { signal: controller.signal });
    await moment();
    controller.abort();
    const answer = await pending;
    there = await count();
    if (!hasFailed(answer)) {
      check.equal(there, 0, "The files that are left of a directory whose removal succeeded", "D1");
      continue;
    }
    const unsettled = saysUnsettled(answer.error);
    check.that(
      there === before || unsettled || SAYS_PART.test(String(answer.error)),
      `Of ${before} files ${there} are left, and the error does not say so: ${String(answer.error)}`,
      "A7",
    );
    if (!unsettled) continue;
    // A removal that may still go on comes to its end before the next one.
    await backend.delete("/d");
    there = await count();
  }
}

/** Directories whose relocation or removal is aborted on the way. */
export const abortedTreeCases: readonly Case[] = [
  ...(["copy", "move"] as const).map(relocationAborted),
  {
    id: "delete/aborted-midway",
    rules: ["A7", "A8", "D1"],
    level: "core",
    needs: ["signals", "transfer", "delete", "consistency=strong"],
    patience: 2,
    why: "A removal of a directory that is aborted on the way says so where a part is gone.",
    hint: "Count what was removed, and say it in the error.",
    run: removalAborted,
  },
];

function relocationAborted(kind: Kind): Case {
  return {
    id: `${kind}/aborted-midway`,
    rules: ["M2", "A8", "A7", "M6"],
    level: "core",
    needs: ["signals", "transfer", "consistency=strong", kind],
    patience: 3,
    why: `A ${kind} of a directory that is aborted on the way leaves every source, and at the destination what was there before.`,
    hint: "Take back what was copied also where the signal fires between two files, on a signal that has not fired.",
    run: (context) => abortedMidway(context, kind),
  };
}
