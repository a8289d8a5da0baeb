import type { CaseContext } from "../engine/case-context.js";

/** When the signal fires, as shares of the time that the same call takes undisturbed. */
export const SHARES = [0.1, 0.25, 0.4, 0.6, 0.8];

/** Milliseconds after which no further round begins in quick: a slow storage is aborted at fewer moments. */
const BUDGET_MS = 4000;

/** Whether a case that has begun then has time for a round. The first one is always made: without it nothing is shown. */
export function hasTime({ signal, tier }: CaseContext, begun: number, round: number): boolean {
  if (signal.aborted) return false;
  return round === 0 || tier !== "quick" || performance.now() < begun + BUDGET_MS;
}

/** Microtasks after which a call is taken for one that waits for more than them. */
export const MOST_MICROTASKS = 20_000;

/** Waits for a call, and counts its microtasks: in memory all of it lasts for these alone. */
export async function microtasksOf(pending: Promise<unknown>): Promise<number> {
  const state = { over: false };
  const over = (): void => {
    state.over = true;
  };
  pending.then(over, over);
  let count = 0;
  while (!state.over && count < MOST_MICROTASKS) {
    await Promise.resolve();
    count++;
  }
  await pending;
  return count;
}

/** Every second one first: what time allows is spread over all of them. */
export function inTurns<T>(all: readonly T[]): T[] {
  return [0, 1].flatMap((parity) => all.filter((_, n) => n % 2 === parity));
}
