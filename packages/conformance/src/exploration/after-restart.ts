import type { Tier } from "../cases/case.js";
import type { CaseContext } from "../engine/case-context.js";
import type { GuardedBackend } from "../engine/guard.js";
import { withoutMoment } from "../eyes/without-place.js";
import { FileModel } from "../model/file-model.js";
import { compareViews } from "../model/views.js";
import { askAll } from "./ask-all.js";
import { Dice } from "./dice.js";
import { Exploration } from "./exploration.js";
import { looksAbout, type Look } from "./looks-about.js";
import { sentenceOf } from "./planned-call.js";
import { CHANGES, PLANS, type Kind } from "./plans.js";

/** Restarts, each of which may be a client that stays open until the case ends; and the changes before each. */
const SIZE: Readonly<Record<Tier, { restarts: number; changes: number }>> = {
  quick: { restarts: 5, changes: 12 },
  full: { restarts: 8, changes: 40 },
  soak: { restarts: 8, changes: 400 },
};

/** Milliseconds after which there is no further restart: a slow storage has fewer, but two. */
const BUDGET_MS: Readonly<Record<Tier, number>> = {
  quick: 3000,
  full: 20_000,
  soak: 1_800_000,
};

/** Of the looks that there are at a change, one of so many is made. */
const ONE_LOOK_OF = 4;

/** The directory whose files are changed. */
const BASE = "/restarted";

/** Files that each round begins with: of one way to store and of another, and many at once. */
const FIRST: readonly Kind[] = ["write", "upload", "write", "upload", "fill"];

/**
 * A7, F2: what is said of files does not depend on what a process remembers of them. Looks at what changes are about are made right
 * before a restart and right after it: the answers are the same, times and versions included, and the model agrees. Changes go on after
 * it, and no version that they give is one of before.
 */
export async function answerAfterRestarts(context: CaseContext): Promise<void> {
  const { restarts, changes } = SIZE[context.tier];
  const clients: [GuardedBackend] = [context.backend];
  const dice = new Dice(context.seed);
  const parts = { model: FileModel.of(context.profile), base: BASE, clients };
  const exploration = new Exploration(context, parts, new Dice(dice.seed()));
  const until = performance.now() + BUDGET_MS[context.tier];
  for (let n = 0; n < restarts; n++) {
    if (context.signal.aborted || (n > 1 && performance.now() > until)) return;
    const looks: Look[] = [];
    for (const kind of [...FIRST, ...Array.from({ length: changes }, () => dice.pick(CHANGES))])
      looks.push(...(await change(exploration, clients[0], { kind, dice })));
    const before = await askAll(clients[0], looks, { base: BASE, atOnce: false });
    clients[0] = await context.reopen();
    const after = await askAll(clients[0], looks, { base: BASE, atOnce: dice.once(2) });
    for (const [index, look] of looks.entries())
      isTheSame(context, look, { before: before[index], after: after[index] });
    await compareViews(exploration, clients[0]);
  }
}

/** Makes a change, where one of this kind can be planned. Returns looks at what it was about. */
async function change(
  exploration: Exploration,
  client: GuardedBackend,
  { kind, dice }: { kind: Kind; dice: Dice },
): Promise<Look[]> {
  const call = PLANS[kind](exploration, new Dice(dice.seed()));
  if (call === undefined) return [];
  const looks = looksAbout(exploration, dice, call).filter(() => dice.once(ONE_LOOK_OF));
  call.settle(await client.call(call.method, call.args));
  return looks;
}

function isTheSame(
  { check, profile }: CaseContext,
  { method, args }: Look,
  answers: { before: unknown; after: unknown },
): void {
  const text = (answer: unknown): string => withoutMoment(answer, profile.times === "kept");
  const [expected, actual] = [text(answers.before), text(answers.after)];
  check.equal(
    actual === expected || JSON.parse(actual),
    actual === expected || JSON.parse(expected),
    `What ${sentenceOf({ method, args: args(BASE) })} answers after a restart, compared with what it answered before,`,
    "A7",
  );
}
