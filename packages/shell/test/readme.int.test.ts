import { readmeExamples, runExample } from "@fs/readme-examples";
import { test } from "vitest";
import { describeWithServer } from "@fs/test-servers/vitest";

describeWithServer("bubblewrap", "README of @fs/shell", () => {
  for (const example of readmeExamples(new URL("../README.md", import.meta.url))) {
    test(example.title, async () => {
      await runExample(example);
    });
  }
});
