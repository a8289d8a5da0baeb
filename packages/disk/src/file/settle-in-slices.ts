import { Pacer } from "./pacing.js";

/**
 * Runs a task for one item after another, yielding to the event loop now and then. For tasks that are mostly synchronous,
 * which would gain nothing from running side by side.
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
      results.push({ status: "fulfilled", value: await task(item) });
    } catch (reason) {
      results.push({ status: "rejected", reason });
    }
    if (pacer.due) await pacer.rest();
  }
  return results;
}
