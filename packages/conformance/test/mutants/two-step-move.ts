import { setImmediate as turn } from "node:timers/promises";
import type { MemoryBackend } from "@fs/protocol";

/**
 * A move that copies, and then removes whatever is at the source by then, where it is meant to; any other is a right one.
 */
export function twoStepMove(
  inner: MemoryBackend,
  isMeant: (from: string, to: string) => Promise<boolean>,
): Pick<MemoryBackend, "move"> {
  return {
    move: async (from, to, options) => {
      if (!(await isMeant(from, to))) return inner.move(from, to, options);
      const answer = await inner.copy(from, to, options);
      if (answer.error !== undefined) return answer;
      await turn();
      await turn();
      await inner.delete(from);
      return answer;
    },
  };
}

export async function isDirectory(inner: MemoryBackend, path: string): Promise<boolean> {
  return (await inner.ls(path)).error === undefined;
}
