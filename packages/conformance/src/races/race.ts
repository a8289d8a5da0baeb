import { setImmediate as turn } from "node:timers/promises";

/** Runs tasks that all start in the same turn, so that they overlap as far as the backend lets them. */
export async function race<T>(tasks: ReadonlyArray<() => Promise<T>>): Promise<T[]> {
  let open: (() => void) | undefined;
  const barrier = new Promise<void>((resolve) => {
    open = resolve;
  });
  const running = tasks.map(async (task) => {
    await barrier;
    return task();
  });
  open?.();
  return Promise.all(running);
}

/** Lets a task begin a few turns later, so that rounds overlap in different ways. */
export async function staggered<T>(round: number, n: number, task: () => Promise<T>): Promise<T> {
  for (let wait = (round * (n + 1)) % 4; wait > 0; wait--) await turn();
  return task();
}

/** The numbers from 0 up to, not including, `count`. */
export function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
