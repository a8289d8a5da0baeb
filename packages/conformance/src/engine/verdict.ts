import type { Case } from "../cases/case.js";
import { BAD_STATUSES, type CaseOutcome } from "../report/report.js";

/** What a test runner is told of a case: passed when both are absent. */
export interface Verdict {
  readonly skip?: string;
  readonly failure?: Error;
}

/** The name of the test of a case. */
export function testNameOf(tested: Case): string {
  return `${tested.id} (${tested.rules.join(", ")})`;
}

/** An outcome in the terms of test runners, which know three. An inconclusive case fails: nothing was proved. */
export function verdictOf(outcome: CaseOutcome): Verdict {
  const { status, reason, text, id } = outcome;
  if (status === "not-applicable") return { skip: `not applicable: ${reason ?? ""}` };
  if (status === "untested") return { skip: `untested: ${reason ?? ""}` };
  if (!BAD_STATUSES.has(status) && status !== "inconclusive") return {};
  const failure = new Error(text ?? `${id}: ${status}${reason === undefined ? "" : `: ${reason}`}`);
  // The stack of the suite is of no use to the author of a backend; the calls are in the message.
  failure.stack = `${failure.name}: ${failure.message}`;
  return { failure };
}
