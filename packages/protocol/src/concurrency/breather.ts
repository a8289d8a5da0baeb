/** Milliseconds of work without a pause. */
const SLICE_MS = 5;

/**
 * Lets other work of the process go on during a long loop.
 *
 * @returns To be awaited in each round: at once most of the time, and after the event loop has had a turn when the last one is
 * longer ago than a slice.
 */
export function breather(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < SLICE_MS) return undefined;
    return new Promise((resolve) => {
      setTimeout(() => {
        since = performance.now();
        resolve();
      }, 0);
    });
  };
}
