import { afterAll, beforeAll, expect, test } from "vitest";
import { backendOn } from "./hub-fixture.js";
import type { Fault } from "@fs/test-servers/hub";
import { HubServer } from "@fs/test-servers/hub";

let hub: HubServer;
beforeAll(async () => {
  hub = await HubServer.start();
});
afterAll(async () => {
  await hub.stop();
});

const FAULTS: readonly Fault[] = [
  { drop: "after" },
  { drop: "half" },
  { drop: "before" },
  { status: 500 },
  { status: 429 },
];

/** A generator of numbers below `limit`, the same for the same seed. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

test.each([1, 2, 3, 4])(
  "two clients on a network that loses answers keep every change exactly once (seed %i)",
  async (seed) => {
    const name = `lossy-${seed}`;
    const next = numbers(seed);
    hub.faults.clear();
    hub.commit(name, { "log.md": "start\n" });
    const clients = [0, 1].map(() =>
      backendOn(hub, name, { retry: { attempts: 8, firstDelayMs: 1 }, maxConflicts: 50 }),
    );
    const marks: string[] = [];
    for (let round = 0; round < 6; round++) {
      for (const fault of FAULTS) {
        if (next(2) === 0) hub.faults.add("commit", fault);
        if (next(4) === 0) hub.faults.add("pull", fault);
      }
      const calls = clients.flatMap((client, who) =>
        [0, 1].map(async (which) => {
          const mark = `mark-${round}-${who}-${which}`;
          const edited = await client.edit("/log.md", "start\n", `start\n${mark}\n`);
          const made = await client.write(`/${mark}.md`, mark);
          marks.push(mark);
          expect([mark, edited.code, made.code]).toEqual([mark, undefined, undefined]);
        }),
      );
      await Promise.all(calls);
    }
    const texts = hub.textsOf(name);
    const lines = (texts["log.md"] ?? "").split("\n");
    const timesOf = (mark: string): number => lines.filter((line) => line === mark).length;
    for (const mark of marks) expect([mark, timesOf(mark)]).toEqual([mark, 1]);
    expect(Object.keys(texts)).toHaveLength(1 + 24);
  },
);
