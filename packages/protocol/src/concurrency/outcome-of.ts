/** How a task ended, as one item of `Promise.allSettled`. */
export async function outcomeOf<T>(task: () => Promise<T>): Promise<PromiseSettledResult<T>> {
  try {
    return { status: "fulfilled", value: await task() };
  } catch (reason) {
    return { status: "rejected", reason };
  }
}
