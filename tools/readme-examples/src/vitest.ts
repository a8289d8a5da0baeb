import { describe, expect, it } from "vitest";
import { readmeExamples } from "./extract.js";
import { runExample } from "./run.js";

/**
 * Tests the README of a package: each example runs, and prints what the comment behind each `console.log(…)` says.
 *
 * @param test The test's own `import.meta.url`; the README is one folder up.
 */
export function testReadme(test: string): void {
  describe("the README", () => {
    for (const example of readmeExamples(new URL("../README.md", test))) {
      it(`runs ${example.title} and prints what it says`, async () => {
        const { lines } = await runExample(example);
        const said = example.code.matchAll(/console\.log\(.*\/\/ (.*)$/gm);
        expect(lines).toEqual(Array.from(said, ([, line]) => line));
      });
    }
  });
}
