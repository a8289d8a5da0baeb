import { setImmediate as turn } from "node:timers/promises";

/** Microtasks after which a call is taken for one that waits for more than them. */
const MOST_MICROTASKS = 20_000;

/** Turns of the event loop after which a call is taken for one that waits for something outside this process. */
const MOST_TURNS = 16;

/** How long a call lasts: in memory for microtasks alone, elsewhere also for some turns after so many of them, and some time. */
export interface Lasting {
  readonly microtasks: number;
  readonly turns: number;
  readonly ms: number;
}

/** Milliseconds below which a call is divided by turns of the event loop. */
const SHORT_MS = 1;

/** Whether a call is over, with success or not; how it failed is known by awaiting the call itself. */
export function progressOf(pending: Promise<unknown>): { readonly over: boolean } {
  const progress = { over: false };
  const over = (): void => {
    progress.over = true;
  };
  pending.then(over, over);
  return progress;
}

/** A call that is awaited after others. Where one of those fails, the guard has taken down what this one broke. */
export function awaitedLater<T>(pending: Promise<T>): Promise<T> {
  pending.catch(() => undefined);
  return pending;
}

/** Waits for a call that has just begun. Returns how long it lasts. */
export async function lastingOf(pending: Promise<unknown>): Promise<Lasting> {
  const state = progressOf(pending);
  let microtasks = 0;
  while (!state.over && microtasks < MOST_MICROTASKS) {
    await Promise.resolve();
    microtasks++;
  }
  // Nothing else could happen while microtasks were counted.
  const counted = performance.now();
  let turns = 0;
  while (!state.over && turns < MOST_TURNS) {
    await turn();
    turns++;
  }
  await pending;
  return { microtasks, turns, ms: performance.now() - counted };
}

/** Whether a call lasts for microtasks alone. */
export function isInMemory({ microtasks }: Lasting): boolean {
  return microtasks < MOST_MICROTASKS;
}

/** Moments at which a call that lasts so long is under way, one after each further share of it; outside memory the first is a turn. */
export function momentsUnderWay(lasting: Lasting, count = 5): string[] {
  const shares = Array.from({ length: count }, (_, n) => (n + 1) / (count + 1));
  if (isInMemory(lasting))
    return shares.map((share) => `${Math.round(lasting.microtasks * share)} microtasks`);
  // However long a machine that has other work takes for few turns, a call is between two steps at a turn alone.
  if (lasting.turns < MOST_TURNS)
    return shares.map((share) => `${Math.max(1, Math.round(lasting.turns * share))} turns`);
  if (lasting.ms < SHORT_MS) return shares.map((_, n) => `${n + 1} turns`);
  return shares.map((share, n) => (n === 0 ? "1 turns" : `${(lasting.ms * share).toFixed(2)} ms`));
}
