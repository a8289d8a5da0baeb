import { setTimeout as delay } from "node:timers/promises";
import type { CaseContext } from "../../engine/case-context.js";
import { hasFailed } from "../../engine/checker.js";
import { saysUnsettled } from "../../matrix/settling.js";
import { hasTime, inTurns, SHARES } from "../../races/aborted-rounds.js";
import { momentOf, MOMENTS } from "../../races/moments.js";
import { range } from "../../races/race.js";
import { isInMemory, lastingOf } from "../../races/under-way.js";
import type { Case } from "../case.js";

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
  // With a signal, as later: some go another way with one.
  const { signal } = new AbortController();
  const first = backend.delete("/d", { signal });
  const lasting = await lastingOf(first);
  check.succeeded(await first, "delete of a directory", "D1");
  const whole = performance.now() - begun;
  const moments = [
    // Where each file costs a request, each round takes seconds.
    ...(isInMemory(lasting) ? MOMENTS : []).map((moment) => () => momentOf(moment)),
    ...SHARES.map((share) => () => delay(whole * share)),
  ];
  const count = async (): Promise<number> => {
    const found = await backend.glob("**");
    check.succeeded(found, "glob", "G1");
    return found.files?.length ?? 0;
  };
  let there = 0;
  for (const [n, moment] of inTurns(moments).entries()) {
    if (!hasTime(context, begun, n)) return;
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

/** Directories whose removal is aborted on the way. */
export const abortedRemovalCases: readonly Case[] = [
  {
    id: "delete/aborted-midway",
    rules: ["A7", "A8", "D1"],
    level: "core",
    needs: ["signals", "transfer", "delete", "consistency=strong"],
    patience: 3,
    why: "A removal of a directory that is aborted on the way says so where a part is gone.",
    hint: "Count what was removed, and say it in the error.",
    run: removalAborted,
  },
];
