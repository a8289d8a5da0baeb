import { expect, test } from "vitest";
import { storedByTwoSubagents, turnCounts } from "../bench/counts.mjs";
import { create } from "./support/both-packages.js";

// What docs/benchmarks/agent.md counts, by the same programs; its other counts are H7, H12 and H38.
const timeout = 60_000;

test("two subagents over 1,000 files of 4 KB store at most 17 MB", { timeout }, async () => {
  expect(await storedByTwoSubagents(create.ours)).toBeLessThanOrEqual(17e6);
});

test("a turn stores and reads as many checkpoints at any age", { timeout }, async () => {
  const counts = await turnCounts(create.ours, 40);
  const stored = counts.map((turn) => turn.stored);
  const loads = counts.map((turn) => turn.loads);
  // Its input, two calls of the model with the summary's step before each, the tool, and the step that starts it.
  expect(new Set(stored)).toEqual(new Set([7]));
  // One for the input that createAgent completes, one for the run.
  expect(new Set(loads.slice(1))).toEqual(new Set([2]));
});
