import type { Case } from "../cases/case.js";
import { ruleText } from "../cases/rules.js";
import type { FailureDetail } from "./report.js";

/** A failure for people: what is right, what happened, the calls, a hint, how to see it again. */
export function failureText(tested: Case, failure: FailureDetail, seed: number): string {
  const rule = ruleText(failure.rule);
  const parts = [
    `${tested.id}: ${failure.message}`,
    section("Rule", [rule === undefined ? failure.rule : `${failure.rule}  ${rule}`]),
    section("Case", [tested.why]),
    failure.difference === undefined
      ? undefined
      : section("Difference", failure.difference.split("\n")),
    failure.transcript.length === 0 ? undefined : section("Calls", failure.transcript),
    tested.hint === undefined ? undefined : section("Hint", [tested.hint]),
    failure.snippet.length === 0
      ? undefined
      : section("On its own, with an empty backend", failure.snippet),
    section("Again", [`only: "${tested.id}", seed: ${seed}`]),
  ];
  return parts.filter((part) => part !== undefined).join("\n");
}

function section(title: string, lines: readonly string[]): string {
  return [`  ${title}:`, ...lines.map((line) => `    ${line.replaceAll("\n", "\n    ")}`)].join(
    "\n",
  );
}
