import { readmeExamples, runExample } from "@fs/readme-examples";
import { buildProjects } from "@fs/test-servers/built";
import { beforeAll, describe, expect, test } from "vitest";

// Examples run in a process of their own, as users would run them.
beforeAll(() => buildProjects("packages/disk"));

describe("the README", () => {
  const examples = readmeExamples(new URL("../README.md", import.meta.url));
  test("has an example", () => {
    expect(examples.length).toBeGreaterThan(0);
  });
  test.each(examples)("$title", async (example) => {
    await runExample(example, { resolveFrom: import.meta.dirname });
  });
});
