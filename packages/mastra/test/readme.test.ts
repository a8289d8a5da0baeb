import { readmeExamples, runExample } from "@fs/readme-examples";
import { describe, expect, it } from "vitest";

describe("the README", () => {
  for (const example of readmeExamples(new URL("../README.md", import.meta.url))) {
    it(`runs ${example.title} and prints what it says`, async () => {
      const { lines } = await runExample(example);
      const said = [...example.code.matchAll(/console\.log\(.*\/\/ (.*)$/gm)].map(
        (match) => match[1],
      );
      expect(lines).toEqual(said);
    });
  }
});
