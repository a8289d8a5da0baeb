import { readmeExamples, runExample } from "@fs/readme-examples";
import { beforeAll, describe, expect, test } from "vitest";
import { buildPackage } from "./built-package.js";

// Examples run in a process of their own, as users would run them.
beforeAll(buildPackage, 120_000);

describe("the README", () => {
  const examples = readmeExamples(new URL("../README.md", import.meta.url));
  test("has an example", () => {
    expect(examples.length).toBeGreaterThan(0);
  });
  test.each(examples)("$title", async (example) => {
    await runExample(example, { resolveFrom: import.meta.dirname });
  });
});
