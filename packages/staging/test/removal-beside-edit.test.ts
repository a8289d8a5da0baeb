import { interceptBackend, MemoryBackend } from "@fs/protocol";
import { StagingBackend } from "@fs/staging";
import { describe, expect, test } from "vitest";
import { baseWith } from "./trees.js";

/** Calls of the upper layer that each change makes at least: as often the other one comes in between. */
const LEAST = 4;

/** Runs another change just before the n-th call of the upper layer that a change makes. */
async function between(n: number, staged: boolean) {
  let left = Infinity;
  let other: (() => Promise<unknown>) | undefined;
  const storage = new MemoryBackend();
  const upper = interceptBackend(storage, async (_, proceed) => {
    if (--left === 0) {
      const run = other;
      other = undefined;
      await run?.();
    }
    return proceed();
  });
  const base = await baseWith({ "/d/f": "one", "/d/stays": "x" });
  // Two clients: one alone puts its changes of a directory and its files in a line.
  const first = new StagingBackend(base, { upper });
  const second = new StagingBackend(base, { upper: storage });
  if (staged) await first.edit("/d/f", "one", "one!");
  return {
    first,
    second,
    begin: (run: () => Promise<unknown>) => {
      other = run;
      left = n;
    },
  };
}

describe.each([
  ["a file of the base", false],
  ["a staged file", true],
] as const)("an edit of %s and the removal of its directory", (_, staged) => {
  test("an edit before each call of a removal (A7)", async () => {
    for (let n = 1, met = true; met; n++) {
      const { first, second, begin } = await between(n, staged);
      met = false;
      begin(async () => {
        met = true;
        await second.edit("/d/f", "one", "two");
      });
      const removed = await first.delete("/d");
      expect(removed.error, `removal, met at call ${n}`).toBeUndefined();
      // Made before the removal it is gone with its file, and made after it there was nothing to edit.
      expect((await first.read("/d/f")).code, `met at call ${n}`).toBe("not_found");
      if (!met) expect(n).toBeGreaterThan(LEAST);
    }
  });

  test("a removal before each call of an edit (A7)", async () => {
    for (let n = 1, met = true; met; n++) {
      const { first, second, begin } = await between(n, staged);
      met = false;
      let removed: { error?: string } | undefined;
      begin(async () => {
        met = true;
        removed = await second.delete("/d");
      });
      const edited = await first.edit("/d/f", "one", "two");
      if (!met) {
        expect(n).toBeGreaterThan(LEAST);
        return;
      }
      expect(removed?.error, `removal at call ${n}`).toBeUndefined();
      if (edited.error !== undefined) expect(edited.code).toBe("not_found");
      expect((await first.read("/d/f")).code, `removed at call ${n}`).toBe("not_found");
    }
  });
});
