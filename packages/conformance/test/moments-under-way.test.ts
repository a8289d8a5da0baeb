import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { lastingOf, momentsUnderWay } from "../src/races/under-way.js";

/** Keeps this process from all else, as a machine does that has other work. */
function stall(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

async function afterTurns(count: number, stalledMs = 0): Promise<void> {
  for (let n = 0; n < count; n++) {
    await turn();
    if (n === 0) stall(stalledMs);
  }
}

test("a call in memory is under way after microtasks alone", async () => {
  const moments = momentsUnderWay(await lastingOf(Promise.resolve()));
  for (const moment of moments) expect(moment).toMatch(/^\d microtasks$/);
});

test("a call of a few turns is under way after as many of them at most, however long a machine takes for them", async () => {
  const quiet = momentsUnderWay(await lastingOf(afterTurns(4)));
  expect(momentsUnderWay(await lastingOf(afterTurns(4, 30)))).toEqual(quiet);
  expect(quiet.map((moment) => Number.parseInt(moment, 10))).toEqual([1, 1, 2, 3, 3]);
});

test("a call of many turns is under way after shares of its time", async () => {
  const [first, ...others] = momentsUnderWay(await lastingOf(afterTurns(40, 30)));
  expect(first).toBe("1 turns");
  for (const moment of others) expect(moment).toMatch(/^\d+\.\d\d ms$/);
});
