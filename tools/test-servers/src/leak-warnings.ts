import { setImmediate as turn } from "node:timers/promises";

/** What Node says of too many listeners on a signal while a task works with it; it says so once. */
export async function leakWarnings(
  task: (signal: AbortSignal) => Promise<unknown>,
): Promise<string[]> {
  const { signal } = new AbortController();
  const heard: string[] = [];
  const listen = (warning: Error & { readonly target?: unknown }): void => {
    if (warning.target === signal) heard.push(warning.message);
  };
  process.on("warning", listen);
  try {
    await task(signal);
    await turn();
  } finally {
    process.off("warning", listen);
  }
  return heard;
}
