/**
 * Maps in input order with at most `width` tasks under way. The first error stops further tasks and is thrown once those
 * under way have settled, so that nothing goes on behind a call that has answered.
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  width: number,
  task: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = Array.from({ length: items.length });
  let next = 0;
  let failed = false;
  const worker = async (): Promise<void> => {
    while (next < items.length && !failed) {
      const index = next++;
      const item = items[index];
      try {
        results[index] = await task(item as T, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const workers = Array.from({ length: Math.min(width, items.length) }, worker);
  const settled = await Promise.allSettled(workers);
  for (const outcome of settled) if (outcome.status === "rejected") throw outcome.reason;
  return results;
}
