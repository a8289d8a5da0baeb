import { Pacer } from "./pacing.js";

/**
 * Runs a task for one item after another, yielding to the event loop now and then. For tasks that are mostly synchronous,
 * which would gain nothing from running side by side.
 *
 * A slice after the signal has fired begins no task: the rest are rejected with `aborted`. What has ended keeps its result:
 * a relocation must know what was stored to take it back.
 */
export async function settleInSlices<T, R>(
  items: readonly T[],
  signal: AbortSignal | undefined,
  task: (item: T) => Promise<R>,
): Promise<Array<PromiseSettledResult<R>>> {
  const pacer = new Pacer(signal);
  const results: Array<PromiseSettledResult<R>> = [];
  for (const item of items) {
    try {
      if (pacer.due) await pacer.rest();
      results.push({ status: "fulfilled", value: await task(item) });
    } catch (reason) {
      results.push({ status: "rejected", reason });
    }
  }
  return results;
}
