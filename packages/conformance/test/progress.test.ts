import type { CaseOutcome } from "@fs/conformance";
import { expect, test } from "vitest";
import { Progress } from "../src/cli/progress.js";

const passed = (id: string): CaseOutcome => ({
  id,
  rules: ["A1"],
  level: "core",
  status: "pass",
  assertions: 1,
  ms: 1,
  warnings: [],
});

function shown(screen: { isTTY?: boolean; columns?: number }, act: (to: Progress) => void): string {
  let text = "";
  const progress = new Progress({ ...screen, write: (part) => (text += part) });
  act(progress);
  progress.end();
  return text;
}

const run = (to: Progress): void => {
  to.loaded("mine", 2);
  to.began("a/one");
  to.printed("a word of the backend\n");
  to.outcome(passed("a/one"));
  to.began("a/two");
  to.outcome({ ...passed("a/two"), status: "fail", text: "a/two: wrong" });
};

test("a terminal has one line that is rewritten, and whole lines above it", () => {
  const text = shown({ isTTY: true, columns: 14 }, run);
  const clear = "\r\u001B[K";
  expect(text).toBe(
    [
      "Conformance of mine: 2 cases\n",
      `[0/2] a/one${clear}a word of the backend\n`,
      `[1/2] a/one${clear}[1/2] a/two${clear}\nFAIL a/two: wrong\n\n`,
      `[2/2] 1 faile${clear}`,
    ].join(""),
  );
});

test("a terminal that says 0 columns has 80", () => {
  expect(shown({ isTTY: true, columns: 0 }, run)).toContain("[0/2] a/one\r");
});

test("elsewhere there are only whole lines", () => {
  expect(shown({}, run)).toBe(
    "Conformance of mine: 2 cases\na word of the backend\n\nFAIL a/two: wrong\n\n[2/2] 1 failed a\n",
  );
});
