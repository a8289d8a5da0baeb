import { findCase } from "../cases/catalogue.js";
import { failureText } from "../report/failure-text.js";
import type { CaseOutcome } from "../report/report.js";

/** The outcome of a case that took its process down with it, and so cannot tell itself. */
export function brokenOff(
  id: string,
  seed: number,
  sentence: string,
  how: { readonly status: "fail" | "timeout" | "error"; readonly output: string },
): CaseOutcome {
  const tested = findCase(id);
  if (tested === undefined) throw new Error(`There is no case '${id}'.`);
  const { rules, level } = tested;
  const printed =
    how.output.trim() === "" ? "" : `\n  It printed last:\n${indented(how.output.trim())}`;
  const hint =
    "Look for endless loops, synchronous waiting and unhandled rejections in the methods that the case calls; --explain shows them.";
  const failure = {
    message: `${sentence}, while this case ran alone.${printed}`,
    rule: rules[0],
    transcript: [],
    snippet: [],
  };
  return {
    id,
    rules,
    level,
    status: how.status,
    reason: sentence,
    assertions: 0,
    ms: 0,
    warnings: [],
    failure,
    text: failureText({ ...tested, hint }, failure, seed),
  };
}

function indented(text: string): string {
  return text
    .split("\n")
    .map((line) => `    ${line}`)
    .join("\n");
}
