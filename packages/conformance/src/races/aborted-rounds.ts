import type { CaseContext } from "../engine/case-context.js";

/** When the signal fires, as shares of the time that the same call takes undisturbed. */
export const SHARES = [0.1, 0.25, 0.4, 0.6, 0.8];

/** Milliseconds after which no further round begins in quick: a slow storage is aborted at fewer moments. */
const BUDGET_MS = 2500;

/** Whether a case that has begun then has time for a round. The first one is always made: without it nothing is shown. */
export function hasTime({ signal, tier }: CaseContext, begun: number, round: number): boolean {
  if (signal.aborted) return false;
  return round === 0 || tier !== "quick" || performance.now() < begun + BUDGET_MS;
}

/** Every second one first: what time allows is spread over all of them. */
export function inTurns<T>(all: readonly T[]): T[] {
  return [0, 1].flatMap((parity) => all.filter((_, n) => n % 2 === parity));
}
