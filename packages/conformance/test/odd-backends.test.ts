import { expect, test } from "vitest";
import { BAD_STATUSES, runConformance } from "@fs/conformance";
import { ODD_BACKENDS } from "./mutants/index.js";

test.each(ODD_BACKENDS.map((odd) => [odd.name, odd] as const))(
  "%s is odd, but correct",
  async (name, { create, profile }) => {
    const harness = { name, create: () => create(), profile };
    const { cases } = await runConformance(harness, { tier: "quick", seed: 1 });
    const failed = cases.filter(({ status }) => BAD_STATUSES.has(status));
    expect(failed.map(({ id, failure }) => [id, failure?.message])).toEqual([]);
  },
);
