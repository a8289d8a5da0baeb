import { readmeExamples, runExample } from "@fs/readme-examples";
import { describe, test } from "vitest";

describe("the examples of the readme run", () => {
  for (const example of readmeExamples(new URL("../README.md", import.meta.url)))
    test(example.title, async () => {
      await runExample(example, { resolveFrom: import.meta.dirname });
    });
});
