import { describe, expect, test } from "vitest";
import { allCases, BAD_STATUSES, runConformance, type Report } from "@fs/conformance";
import { MUTANTS, ODD_BACKENDS } from "@fs/conformance/mutants";

const OPTIONS = { tier: "quick", seed: 1 } as const;

function failed(report: Report): Array<{ id: string; rules: readonly string[] }> {
  return report.cases
    .filter(({ status }) => BAD_STATUSES.has(status))
    .map(({ id, rules }) => ({ id, rules }));
}

/** The cases that cite a rule: a mutant must die of one of these, so that its author is told of the right rule. */
function citing(rule: string): string[] {
  return allCases()
    .filter(({ id, rules }) => rules.includes(rule) && !id.startsWith("model/"))
    .map(({ id }) => id);
}

describe("every mutant dies", () => {
  test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))("%s", async (name, mutant) => {
    const harness = { name, create: () => mutant.create(), timeoutMs: 5000 };
    const report = await runConformance(harness, { ...OPTIONS, only: citing(mutant.rule) });
    expect(report.ok, `survived: ${mutant.bug}`).toBe(false);
  });

  test("there are enough of them, each with a name of its own", () => {
    expect(MUTANTS.length).toBeGreaterThanOrEqual(80);
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  });
});

describe("odd but correct backends live", () => {
  test.each(ODD_BACKENDS.map((odd) => [odd.name, odd] as const))(
    "%s",
    async (name, { create, profile }) => {
      const report = await runConformance({ name, create: () => create(), profile }, OPTIONS);
      expect(failed(report)).toEqual([]);
    },
  );
});
