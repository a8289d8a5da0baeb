/** What a request is given up with whose time is over. Clients call a time-out of their own by the same name. */
class TimeoutError extends Error {
  override readonly name = "TimeoutError";
}

/** The longest time that a timer of Node takes; more would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** A promise that is given up after so many milliseconds; the work behind it may go on. */
export async function withinTime<T>(task: Promise<T>, ms: number): Promise<T> {
  if (ms > MAX_TIMER_MS) return task;
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError("The time of the request is over.")), ms);
  });
  try {
    return await Promise.race([task, over]);
  } finally {
    clearTimeout(timer);
  }
}
