import type { Case } from "../cases/case.js";

/**
 * Whether no case may run beside this one: it keeps the event loop busy, lets a storage fail that others use too, or counts
 * requests that may be those of others.
 */
export function isHeavy({ patience = 1, needs }: Case): boolean {
  return patience >= 3 || needs.includes("faults") || needs.includes("meter");
}

/**
 * Cases in two parts: those that run beside others, and those that run alone, which are best begun last. What waits for a
 * clock comes first, as others fill its time.
 */
export function byWeight(cases: readonly Case[]): { light: Case[]; heavy: Case[] } {
  const shared = cases.filter((tested) => !isHeavy(tested));
  const waiting = shared.filter(({ waits = false }) => waits);
  return {
    light: [...waiting, ...shared.filter(({ waits = false }) => !waits)],
    heavy: cases.filter(isHeavy),
  };
}
