import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { figuresPage, growthPage } from "../src/pages.js";
import { growthPlot, grows } from "../src/plots.js";
import { readResults } from "../src/render.js";

const pages = new URL("../../../docs/benchmarks/", import.meta.url);
const committed = (name: string): string => readFileSync(new URL(name, pages), "utf8");
/** The formatter aligns tables and sets lists apart. */
const unformatted = (text: string): string =>
  text
    .replace(/ *\| */g, "|")
    .replace(/-{3,}/g, "---")
    .replace(/\s+/g, " ")
    .trim();
const results = readResults();

describe("the pages in the repository are written from the results in it; `npm run bench -- --render`", () => {
  test("figures", () => {
    expect(unformatted(committed("figures.md"))).toBe(unformatted(figuresPage(results)));
  });

  test("growth", () => {
    expect(unformatted(committed("growth.md"))).toBe(unformatted(growthPage(results)));
  });

  test.each(results.filter(grows).map(({ suite }) => suite))("the plots of %s", async (suite) => {
    const [found] = results.filter((one) => one.suite === suite);
    if (found === undefined) throw new Error(`No results of ${suite}.`);
    const svg = await growthPlot(found);
    expect(svg).not.toContain("<script");
    expect(committed(`growth/${suite}-growth.svg`)).toBe(svg);
  });
});

test("where the peer is ahead, it says so", () => {
  const spreadOf = (median: number) => ({ p10: median, median, p90: median });
  const row = {
    operation: "read",
    files: 10,
    times: { ours: spreadOf(2), peer: spreadOf(1) },
    ratios: { peer: spreadOf(2) },
    counts: {},
  };
  const [given] = results;
  if (given === undefined) throw new Error("There are no results.");
  const page = figuresPage([{ ...given, title: "Slow", rows: [row] }]);
  expect(page).toContain("| Slow | read | 10 | 2 ms | 1 ms | **2** (2–2) |");
});
