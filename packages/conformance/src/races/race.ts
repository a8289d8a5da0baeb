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

/**
 * Looks again and again beside some work, until the work says so or has ended, in whatever way: looks that went on would burden
 * all later cases, and keep a program from ending. Answers what the work answers; the first failure of either is thrown.
 */
export async function lookingBeside<T>(
  { signal }: { readonly signal: AbortSignal },
  look: () => Promise<void>,
  work: (enough: () => void) => Promise<T>,
): Promise<T> {
  const looking = { on: true };
  const enough = (): void => {
    looking.on = false;
  };
  const looks = async (): Promise<undefined> => {
    do {
      await look();
      // A backend that answers from memory would never let the other's input and output happen.
      await turn();
    } while (looking.on && !signal.aborted);
  };
  const works = async (): Promise<T> => {
    try {
      return await work(enough);
    } finally {
      enough();
    }
  };
  const [, answer] = await race<T | undefined>([looks, works]);
  return answer as T;
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
