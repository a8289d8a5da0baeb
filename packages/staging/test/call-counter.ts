import { type Filesystem, interceptBackend } from "@fs/protocol";

/** A backend whose calls are counted by method. */
export function callCounter(inner: Filesystem): {
  readonly backend: Filesystem;
  during(task: () => Promise<unknown>): Promise<Record<string, number>>;
} {
  let counts: Record<string, number> = {};
  const backend = interceptBackend(inner, async ({ method }, proceed) => {
    counts[method] = (counts[method] ?? 0) + 1;
    return proceed();
  });
  return {
    backend,
    during: async (task) => {
      counts = {};
      await task();
      return counts;
    },
  };
}
