import { readmeExamples, runExample } from "@fs/readme-examples";
import { test } from "vitest";

for (const example of readmeExamples(new URL("../README.md", import.meta.url))) {
  // The first example runs the whole suite.
  test(example.title, async () => {
    await runExample(example, { resolveFrom: import.meta.dirname });
  });
}
