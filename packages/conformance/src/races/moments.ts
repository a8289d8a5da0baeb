import { setImmediate as turn, setTimeout as delay } from "node:timers/promises";

/**
 * Moments at which a call that has begun may be: microtasks after its beginning, then turns of the event loop. A storage in
 * memory is between two steps for microtasks alone, one behind a socket for turns.
 */
export const MOMENTS: readonly string[] = [
  ...[0, 5, 20].map((n) => `${n} microtasks`),
  ...[1, 4, 12].map((n) => `${n} turns`),
];

/** Milliseconds that timers keep well enough; less than them is waited for turn by turn. */
const TIMER_MS = 4;

/** Waits until such a moment, or for so many `ms`. */
export async function momentOf(moment: string): Promise<void> {
  const [count, unit] = moment.split(" ");
  if (unit === "ms") return waitFor(Number(count));
  for (let n = 0; n < Number(count); n++) await (unit === "turns" ? turn() : undefined);
}

async function waitFor(ms: number): Promise<void> {
  if (ms >= TIMER_MS) return delay(ms);
  const end = performance.now() + ms;
  do await turn();
  while (performance.now() < end);
}
