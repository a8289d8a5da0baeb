import { expect, test } from "vitest";
import { BAD_STATUSES, runConformance, type RunOptions } from "@fs/conformance";
import { ODD_ANSWERS } from "./mutants/odd-answers.js";
import type { OddBackend } from "./mutants/odd-backends.js";

// The large ones say nothing of how a backend answers, and those in a composite are about the composite.
const SKIPPED = ["scale/*", "twin/*", "wrap/*"];
/** Those that read what a sentence, or an answer of a batch, says of a path. */
const OF_PATHS = ["wrap/full-paths", "twin/download", "twin/upload", "capability/features"];

async function failuresOf(
  { name, create, profile }: OddBackend,
  which: Pick<RunOptions, "only" | "skip">,
): Promise<unknown[]> {
  const harness = { name, create: () => create(), profile };
  const report = await runConformance(harness, { tier: "quick", seed: 1, ...which });
  const failed = report.cases.filter(({ status }) => BAD_STATUSES.has(status));
  return failed.map(({ id, failure }) => [id, failure?.message]);
}

test.each(ODD_ANSWERS.map((odd) => [odd.name, odd] as const))("%s is right", async (_, odd) => {
  expect(await failuresOf(odd, { skip: SKIPPED })).toEqual([]);
});

test("one that quotes paths in another way is right also behind a route", async () => {
  const odd = ODD_ANSWERS.find(({ name }) => name === "in-other-quotes");
  expect(odd && (await failuresOf(odd, { only: OF_PATHS }))).toEqual([]);
});
