import { setMaxListeners } from "node:events";

/**
 * Maps in input order with at most `width` tasks under way, yielding each result as soon as those before it are there. When
 * the caller stops early, no further task is begun and those under way are told to stop.
 *
 * @param width How many; or how many once so many are done, for a caller that is likely to stop early.
 */
export async function* mapInOrder<T, R>(
  items: readonly T[],
  width: number | ((done: number) => number),
  task: (item: T, signal: AbortSignal) => Promise<R>,
): AsyncGenerator<R> {
  const stop = new AbortController();
  // As many listeners as tasks are meant, and no leak.
  setMaxListeners(0, stop.signal);
  const underWay: Promise<PromiseSettledResult<R>>[] = [];
  let next = 0;
  try {
    for (;;) {
      const most = typeof width === "number" ? width : width(next - underWay.length);
      while (underWay.length < most && next < items.length) {
        // Settled at once, so that a task which fails before its turn is no unhandled rejection.
        underWay.push(settled(task(items[next++] as T, stop.signal)));
      }
      const first = await underWay.shift();
      if (first === undefined) return;
      if (first.status === "rejected") throw first.reason;
      yield first.value;
    }
  } finally {
    stop.abort();
    await Promise.all(underWay);
  }
}

async function settled<R>(task: Promise<R>): Promise<PromiseSettledResult<R>> {
  const [outcome] = await Promise.allSettled([task]);
  return outcome;
}
