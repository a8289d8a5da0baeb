import { describe, expect, test } from "vitest";
import { readResults } from "../src/render.js";
import { measureAt } from "../src/run-suites.js";
import { store } from "../src/subjects/store.js";

describe("what a call asks of a store is what the results in the repository say", () => {
  test.each([100, 1_000])("%s files", async (files) => {
    const kept = readResults()
      .find(({ suite }) => suite === "store")
      ?.rows.filter((row) => row.files === files)
      .map(({ operation, counts }) => ({ operation, ...counts }));
    const now = await measureAt(store, files, 0);
    expect(kept?.length).toBeGreaterThan(8);
    expect(now.map(({ operation, counts }) => ({ operation, ...counts }))).toEqual(kept);
  });
});
