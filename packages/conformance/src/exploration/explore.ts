import type { CaseContext } from "../engine/case-context.js";
import type { GuardedBackend } from "../engine/guard.js";
import type { Tier } from "../cases/case.js";
import { FileModel } from "../model/file-model.js";
import { runOne, throwShrunk } from "../model/shrunk-failure.js";
import { compareViews } from "../model/views.js";
import { Dice } from "./dice.js";
import { Exploration } from "./exploration.js";
import { planLook } from "./plan-reads.js";
import { meets } from "./plan-stores.js";
import { CHANGES, PLANS, SHARES, type Kind } from "./plans.js";
import type { PlannedCall } from "./planned-call.js";
import { shorten } from "./shorten.js";

/** Explorations by one client, of which two make half as many each, and their greatest length, per tier. */
const SIZE: Readonly<Record<Tier, { runs: number; steps: number }>> = {
  quick: { runs: 18, steps: 250 },
  full: { runs: 80, steps: 400 },
  soak: { runs: 600, steps: 600 },
};

/** Runs that the search for a shorter sequence may take. */
const MOST_TRIES = 400;

/**
 * Milliseconds after which no further step begins, and as many for the search for a shorter sequence: a slow storage is
 * explored less. What is explored of a seed is always its beginning.
 */
const BUDGET_MS: Readonly<Record<Tier, number>> = {
  quick: 5000,
  full: 30_000,
  soak: 3_600_000,
};

/** Files that an exploration begins with, at most. */
const FIRST_FILES = 16;

/** A step: a call, and calls that begin in the same moment and have nothing to do with it. */
interface Step {
  readonly kind: Kind;
  readonly seed: number;
  /** The seeds of the calls beside it. */
  readonly beside: readonly number[];
}

/** How far a run goes. */
interface Course {
  /** Steps that have begun. */
  steps: number;
  /** The time after which none begins. */
  readonly until: number;
}

/** A whole exploration: what decides on its names and words, and its steps. */
interface Sequence {
  readonly theme: number;
  readonly steps: readonly Step[];
}

/** Each kind as often as its share says. */
const KINDS = (Object.keys(SHARES) as Kind[]).flatMap((kind) =>
  Array.from({ length: SHARES[kind] }, () => kind),
);

function sequenceOf(dice: Dice, mostSteps: number): Sequence {
  const theme = dice.seed();
  const first = Array.from({ length: dice.below(FIRST_FILES + 1) }, (): Step => {
    return { kind: dice.pick(["write", "upload"]), seed: dice.seed(), beside: [] };
  });
  const steps = Array.from({ length: 1 + dice.below(mostSteps) }, (): Step => {
    const beside = dice.once(7) ? 1 + dice.below(3) : 0;
    return {
      kind: dice.pick(KINDS),
      seed: dice.seed(),
      beside: Array.from({ length: beside }, () => dice.seed()),
    };
  });
  return { theme, steps: [...first, ...steps] };
}

/**
 * Explores corners: long sequences of calls of every method, with names, contents and extents that break careless code. What each
 * call must answer is worked out before it is made.
 */
export async function explore(
  context: CaseContext,
  clientsOf: () => Promise<readonly GuardedBackend[]>,
): Promise<void> {
  const { runs, steps: mostSteps } = SIZE[context.tier];
  const clients = await clientsOf();
  const dice = new Dice(context.seed);
  const until = performance.now() + BUDGET_MS[context.tier];
  let begun = 0;
  /** Makes all calls again, below a directory of their own. */
  const run = async ({ theme, steps }: Sequence, course: Course): Promise<void> => {
    const base = `/e${begun++}`;
    const parts = { model: FileModel.of(context.profile), base, clients };
    await walk(new Exploration(context, parts, new Dice(theme)), steps, course);
  };
  for (let n = 0; n < runs / clients.length; n++) {
    if (context.signal.aborted || (n > 0 && performance.now() > until)) return;
    const sequence = sequenceOf(dice, mostSteps);
    const course = { steps: 0, until };
    context.transcript.clear();
    const failure = await failureOf(context, () => run(sequence, course));
    if (failure === undefined) continue;
    const { theme } = sequence;
    // What comes after the step that failed has no part in it.
    const steps = await shortest(context, sequence.steps.slice(0, course.steps), (part) =>
      run({ theme, steps: part }, wholeCourse()),
    );
    await throwShrunk(context, () => run({ theme, steps }, wholeCourse()), {
      length: steps.length,
      error: failure,
      found: `Found with seed ${context.seed}, in exploration ${n + 1}; ${steps.length} of ${sequence.steps.length} steps are left.`,
    });
  }
}

/** A course without an end in time: of a sequence that has failed, each step counts. */
function wholeCourse(): Course {
  return { steps: 0, until: Infinity };
}

/** Returns what a run throws, if anything. */
async function failureOf(context: CaseContext, run: () => Promise<void>): Promise<unknown> {
  try {
    await runOne(context, run);
    return undefined;
  } catch (error) {
    return error;
  }
}

async function shortest(
  context: CaseContext,
  steps: readonly Step[],
  run: (part: readonly Step[]) => Promise<void>,
): Promise<readonly Step[]> {
  const until = performance.now() + BUDGET_MS[context.tier];
  let tries = 0;
  return shorten(steps, async (part) => {
    if (context.signal.aborted || performance.now() > until || tries++ >= MOST_TRIES) return false;
    return (await failureOf(context, () => run(part))) !== undefined;
  });
}

async function walk(
  exploration: Exploration,
  steps: readonly Step[],
  course: Course,
): Promise<void> {
  for (const { kind, seed, beside } of steps) {
    if (exploration.context.signal.aborted) return;
    if (performance.now() > course.until) break;
    course.steps++;
    const dice = new Dice(seed);
    const call = PLANS[kind](exploration, dice);
    if (call === undefined) continue;
    const calls = call.changes ? [call, ...apart(exploration, call, beside)] : [call];
    await makeAll(exploration, calls, dice);
    if (call.changes) await lookAt(exploration, calls, dice);
  }
  const dice = new Dice(course.steps);
  await compareViews(exploration, dice.pick(exploration.clients));
}

/** Calls that change something else than a call and one another do: what each must answer is the same as if it were alone. */
function apart(
  exploration: Exploration,
  first: PlannedCall,
  seeds: readonly number[],
): PlannedCall[] {
  const chosen: PlannedCall[] = [];
  for (const number of seeds) {
    const dice = new Dice(number);
    const call = PLANS[dice.pick(CHANGES)](exploration, dice);
    const taken = [first, ...chosen].flatMap(({ touches }) => touches);
    if (
      call !== undefined &&
      !call.touches.some((path) => taken.some((other) => meets(path, other)))
    )
      chosen.push(call);
  }
  return chosen;
}

async function makeAll(
  { clients }: Exploration,
  calls: readonly PlannedCall[],
  dice: Dice,
): Promise<void> {
  const answers = calls.map(({ method, args, make }) => {
    const client = dice.pick(clients);
    return make === undefined ? client.call(method, args) : make(client);
  });
  const settled = await Promise.all(answers);
  for (const [n, { settle }] of calls.entries()) settle(settled[n]);
}

/** Looks at some of what calls have touched, through any method and any client. */
async function lookAt(
  exploration: Exploration,
  calls: readonly PlannedCall[],
  dice: Dice,
): Promise<void> {
  for (const path of calls.flatMap(({ touches }) => touches).slice(0, 4)) {
    const look = planLook(exploration, dice, path);
    if (look !== undefined) await makeAll(exploration, [look], dice);
  }
}
