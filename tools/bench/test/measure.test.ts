import { describe, expect, test } from "vitest";
import { compare, spread, summary } from "../src/measure.js";

describe("spreads", () => {
  test("are the median and the percentiles of the rounds", () => {
    expect(spread([5, 1, 4, 2, 3])).toEqual({ p10: 1, median: 3, p90: 5 });
  });

  test("a ratio is that of each round, not of the medians", () => {
    const { ratios } = summary({ ours: [1, 10, 100], peer: [2, 10, 50], limit: [1, 1, 1] });
    expect(ratios.peer?.median).toBe(1);
    expect(ratios.peer).toEqual({ p10: 0.5, median: 1, p90: 2 });
    expect(ratios.limit?.median).toBe(10);
  });

  test("a side alone has no ratio", () => {
    expect(summary({ ours: [1] }).ratios).toEqual({});
  });
});

test("counts are those of one call that is not the first", async () => {
  let asked = 0;
  let first = true;
  const row = await compare({
    operation: "read",
    files: 1,
    rounds: 1,
    clock: "wall",
    sides: {
      ours: () => {
        asked += first ? 10 : 1;
        first = false;
      },
    },
    counters: {
      ours: {
        take: () => {
          const taken = { calls: asked };
          asked = 0;
          return taken;
        },
      },
    },
  });
  expect(row.counts.ours).toEqual({ calls: 1 });
});
