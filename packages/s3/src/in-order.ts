import { setMaxListeners } from "node:events";
import { outcomeOf } from "@fs/protocol/async";

/**
 * Maps in input order with at most `width` tasks under way, yielding each result as soon as those before it are there. A batch
 * of input is asked for when a task could begin and none is left of the one before. When the caller stops early, no further
 * task is begun, and those under way and the input are stopped by the signal that they were given.
 *
 * @param batches Makes the input.
 * @param width How many; or how many once so many are done, for a caller that is likely to stop early.
 */
export async function* mapInOrder<T, R>(
  batches: (stop: AbortSignal) => AsyncIterable<readonly T[]>,
  width: number | ((done: number) => number),
  task: (item: T, signal: AbortSignal) => Promise<R>,
): AsyncGenerator<R> {
  const stop = new AbortController();
  // As many listeners as tasks are meant, and no leak.
  setMaxListeners(0, stop.signal);
  const input = batches(stop.signal)[Symbol.asyncIterator]();
  const underWay: Array<Promise<PromiseSettledResult<R>>> = [];
  let batch: readonly T[] = [];
  let next = 0;
  let done = 0;
  let asked: Promise<void> | undefined;
  let ended = false;
  let failure: { readonly reason: unknown } | undefined;
  const ask = async (): Promise<void> => {
    const step = await outcomeOf(() => input.next());
    asked = undefined;
    if (step.status === "rejected") failure = step;
    ended = step.status === "rejected" || step.value.done === true;
    batch = step.status === "rejected" || step.value.done === true ? [] : step.value.value;
    next = 0;
  };
  try {
    for (;;) {
      const most = typeof width === "number" ? width : width(done);
      while (underWay.length < most && next < batch.length) {
        // Settled at once, so that a task which fails before its turn is no unhandled rejection.
        const item = batch[next++] as T;
        underWay.push(outcomeOf(() => task(item, stop.signal)));
      }
      if (underWay.length < most && !ended) asked ??= ask();
      const [first] = underWay;
      if (first === undefined) {
        // What was listed before a failure comes first: it may be all that the caller wants.
        if (failure !== undefined) throw failure.reason;
        if (asked === undefined) return;
        await asked;
        continue;
      }
      const outcome = await (asked === undefined ? first : Promise.race([asked, first]));
      if (outcome === undefined) continue;
      void underWay.shift();
      if (outcome.status === "rejected") throw outcome.reason;
      done++;
      yield outcome.value;
    }
  } finally {
    stop.abort();
    await Promise.all(underWay);
    await asked;
    await input.return?.();
  }
}
