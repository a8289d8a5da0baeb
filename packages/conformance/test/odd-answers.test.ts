import { expect, test } from "vitest";
import { BAD_STATUSES, runConformance } from "@fs/conformance";
import { ODD_ANSWERS } from "./mutants/odd-answers.js";

// The large ones say nothing of how a backend answers, and those in a composite are about the composite.
const OPTIONS = { tier: "quick", seed: 1, skip: ["scale/*", "twin/*", "wrap/*"] } as const;

test.each(ODD_ANSWERS.map((odd) => [odd.name, odd] as const))(
  "%s is right",
  async (name, { create, profile }) => {
    const report = await runConformance({ name, create: () => create(), profile }, OPTIONS);
    const failed = report.cases.filter(({ status }) => BAD_STATUSES.has(status));
    expect(failed.map(({ id, failure }) => [id, failure?.message])).toEqual([]);
  },
);
