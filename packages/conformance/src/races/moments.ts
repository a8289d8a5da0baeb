import { setImmediate as turn } from "node:timers/promises";

/**
 * Moments at which a call that has begun may be: microtasks after its beginning, then turns of the event loop. A storage in
 * memory is between two steps for microtasks alone, one behind a socket for turns.
 */
export const MOMENTS: readonly string[] = [
  ...[0, 5, 20].map((n) => `${n} microtasks`),
  ...[1, 4, 12].map((n) => `${n} turns`),
];

/** Waits until such a moment. */
export async function momentOf(moment: string): Promise<void> {
  const [count, unit] = moment.split(" ");
  for (let n = 0; n < Number(count); n++) await (unit === "turns" ? turn() : undefined);
}
