import { readmeExamples, runExample } from "@fs/readme-examples";
import { describe, test } from "vitest";

for (const page of ["../README.md", "../../../docs/writing-a-backend.md"]) {
  describe(page, () => {
    for (const example of readmeExamples(new URL(page, import.meta.url))) {
      test(example.title, async () => {
        await runExample(example, { resolveFrom: import.meta.dirname });
      });
    }
  });
}
