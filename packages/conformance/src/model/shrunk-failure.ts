import type { CaseContext } from "../engine/case-context.js";
import { CheckFailure } from "../engine/check-failure.js";

/** What is known of the shortest sequence that failed. */
export interface Shrunk {
  /** How many steps it has. */
  readonly length: number;
  /** What it failed with. */
  readonly error: unknown;
  /** How it was found, and is found again: a sentence. */
  readonly found: string;
}

/**
 * Runs a sequence that is one of many, and throws what is wrong with it: also that a call broke a rule of all calls, which would
 * come out at the end of the case, beside the calls of another sequence.
 */
export async function runOne(context: CaseContext, run: () => Promise<void>): Promise<void> {
  try {
    await run();
    if (context.violation !== undefined) throw context.violation;
  } finally {
    context.violation = undefined;
  }
}

/** Throws what the shortest sequence fails with, run once more and alone, so that the transcript is its own. */
export async function throwShrunk(
  context: CaseContext,
  run: () => Promise<void>,
  { length, error: first, found }: Shrunk,
): Promise<never> {
  context.transcript.clear();
  try {
    await runOne(context, run);
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    throw new CheckFailure(`${error.message} ${found}`, {
      rule: error.rule,
      ...(error.difference === undefined ? {} : { difference: error.difference }),
    });
  }
  throw new CheckFailure(
    `A sequence of ${length} steps failed, but not when it was run again: ${first instanceof Error ? first.message : String(first)} ${found}`,
    { rule: first instanceof CheckFailure ? first.rule : undefined },
  );
}
