import fc from "fast-check";
import type { CaseContext } from "../engine/case-context.js";
import type { Case, Tier } from "../cases/case.js";
import { show } from "../report/render.js";
import { Coverage } from "./coverage.js";
import { FileModel } from "./file-model.js";
import { SEEDED_FILES, sequence, type Sequence } from "./operations.js";
import { runOne, throwShrunk } from "./shrunk-failure.js";
import { takeStep } from "./step.js";
import type { Walk } from "./walk.js";
import { compareViews } from "./views.js";

/** Sequences and their greatest length, per tier. */
const SIZE: Readonly<Record<Tier, { runs: number; steps: number }>> = {
  quick: { runs: 30, steps: 14 },
  full: { runs: 300, steps: 30 },
  soak: { runs: 5000, steps: 40 },
};

/** Runs of a failing property that shrinking may take. */
const MAX_SHRINKS = 200;

/** Random sequences against the model; the shortest one that disagrees is the failure. */
async function sequences(context: CaseContext): Promise<void> {
  const { runs, steps } = SIZE[context.tier];
  const coverage = new Coverage();
  let walks = 0;
  let shrinks = 0;
  const walk = (tried: Sequence): Promise<void> =>
    run({ context, coverage, base: `/m${walks++}`, model: FileModel.of(context.profile) }, tried);
  const property = fc.asyncProperty(sequence(steps), async (tried) => {
    if (context.signal.aborted || shrinks > MAX_SHRINKS) return;
    try {
      await runOne(context, () => walk(tried));
    } catch (error) {
      shrinks++;
      throw error;
    }
  });
  const replay = context.replay === undefined ? {} : { path: context.replay };
  const outcome = await fc.check(property, { seed: context.seed, numRuns: runs, ...replay });
  if (!outcome.failed) {
    const missed = coverage.missed();
    if (missed.length > 0) throw new Error(`The generator is too weak: ${missed.join("; ")}.`);
    return;
  }
  const found = outcome.counterexample?.[0] ?? { seeded: false, steps: [] };
  await throwShrunk(context, () => walk(found), {
    length: found.steps.length,
    error: outcome.errorInstance,
    found: `Found with seed ${context.seed}; replay: ${show(outcome.counterexamplePath)}, after ${outcome.numShrinks} simplifications.`,
  });
}

async function run(walk: Walk, { seeded, steps }: Sequence): Promise<void> {
  if (seeded) await seed(walk);
  for (const step of steps) await takeStep(walk, step);
  await compareViews(walk);
}

async function seed({ context, model, base }: Walk): Promise<void> {
  const files = Object.entries(SEEDED_FILES).map(
    ([name, text]) => [`${base}/${name}`, text] as const,
  );
  await context.given(Object.fromEntries(files));
  for (const [path, text] of files) model.put(path, new TextEncoder().encode(text));
}

/** Model-based testing of one client. */
export const sequentialModel: Case = {
  id: "model/sequential",
  rules: ["A7"],
  level: "core",
  needs: ["names.caseSensitive", "names.unicode=preserve"],
  patience: 6,
  why: "Random sequences of calls do what an independent model of the rules says, seen through five views.",
  hint: "The calls below are the shortest sequence that disagrees. Keep it as a case of your own.",
  run: sequences,
};
