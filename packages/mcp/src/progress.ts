import type { ServerContext } from "@modelcontextprotocol/server";

/** Milliseconds between two signs of life. */
const INTERVAL_MS = 1000;

/**
 * Runs a task and, where the client asked for it, reports that it goes on: the seconds it has taken so far, once at its
 * beginning and then every second. The task's result never waits for a notification.
 */
export async function withProgress<T>(
  { mcpReq }: ServerContext,
  what: string,
  onError: (error: unknown) => void,
  task: () => Promise<T>,
): Promise<T> {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  if (progressToken === undefined) return task();
  let seconds = 0;
  const report = (): void => {
    const params = { progressToken, progress: seconds++, message: what };
    mcpReq.notify({ method: "notifications/progress", params }).catch(onError);
  };
  report();
  const timer = setInterval(report, INTERVAL_MS);
  try {
    return await task();
  } finally {
    clearInterval(timer);
  }
}
