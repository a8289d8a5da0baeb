import { readmeExamples, runExample } from "@fs/readme-examples";
import { expect, test } from "vitest";

// The repository's own README. It has no package, so its imports resolve from the app that has them all.
const examples = readmeExamples(new URL("../../../README.md", import.meta.url));

test("the quick start of the repository runs as it is written", async () => {
  const [first] = examples;
  expect(examples).toHaveLength(1);
  const { lines } = await runExample(first ?? "", { resolveFrom: import.meta.dirname });
  expect(lines).toEqual([
    "# Notes",
    "- read: done",
    "- write: done",
    "",
    "already_exists",
    "[ '/notes.md', '/workspace/' ]",
  ]);
});
