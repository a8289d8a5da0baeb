import { MemoryBackend, type BackendProtocolV2 } from "@fs/protocol";
import { runConformance } from "@fs/conformance";
import { expect, test } from "vitest";
import { overlay, type Overrides } from "./mutants/mutant.js";

/** Faults that only a few of the corners lead to, with the rule that the failure names: the one of the call that showed it. */
const FAULTS: ReadonlyArray<readonly [fault: string, rule: string, overrides: Overrides]> = [
  [
    "a page of more than 100 lines lacks the last one",
    "R1",
    (inner) => ({
      read: async (path, offset, limit, options) => {
        const answer = await inner.read(path, offset, limit, options);
        const isLong =
          typeof answer.content === "string" && answer.content.split("\n").length > 100;
        return isLong ? inner.read(path, offset, 100, options) : answer;
      },
    }),
  ],
  [
    "names that differ in a mark are one",
    "R1",
    (inner) => ({
      write: (path, ...rest) => inner.write(path.normalize("NFC"), ...rest),
      read: (path, ...rest) => inner.read(path.normalize("NFC"), ...rest),
    }),
  ],
  [
    "an answer has an error and data",
    "A2",
    (inner) => ({
      edit: async (...args) => {
        const answer = await inner.edit(...args);
        const both = { ...answer, occurrences: 0 };
        return answer.code === "not_unique" ? both : answer;
      },
    }),
  ],
];

const run = async (overrides: Overrides) => {
  const create = (): BackendProtocolV2 => {
    const inner = new MemoryBackend();
    return overlay(inner, overrides(inner));
  };
  const options = { only: "explore/corners", seed: 1 };
  const report = await runConformance({ name: "explored", create, profile: {} }, options);
  return report.cases[0];
};

test.each(FAULTS)(
  "an exploration finds that %s, and shows a short sequence",
  async (_, rule, overrides) => {
    const found = await run(overrides);
    expect(found?.status).toBe("fail");
    const left = /Found with seed 1, in exploration \d+; (\d+) of \d+ steps are left\.$/.exec(
      found?.failure?.message ?? "",
    );
    expect(Number(left?.[1])).toBeLessThan(7);
    expect(found?.failure?.rule).toBe(rule);
    // The same seed finds the same.
    expect((await run(overrides))?.failure?.message).toBe(found?.failure?.message);
  },
);

test("an exploration of what is right finds nothing", async () => {
  expect((await run(() => ({})))?.status).toBe("pass");
});
