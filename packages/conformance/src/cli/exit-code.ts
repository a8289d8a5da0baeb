import type { Level } from "../cases/case.js";
import type { Report } from "../report/report.js";

/** What a run comes to, as an exit code and the sentence that explains it. */
export interface Verdict {
  readonly code: 0 | 1 | 2 | 3;
  readonly sentence: string;
}

/**
 * 0: the requested level is earned. 1: something is wrong with the backend. 2: with the harness or the suite. 3: nothing
 * is wrong, and the level is not earned.
 *
 * @param level `undefined`: every level that the profile claims.
 */
export function verdictOf(report: Report, level: Level | undefined): Verdict {
  const { totals, levels } = report;
  const wrong = totals.fail + totals.timeout + totals.xpass;
  if (wrong > 0) return { code: 1, sentence: `${counted(wrong, "case")} did not pass.` };
  if (totals.error > 0)
    return {
      code: 2,
      sentence: `The harness or the suite broke in ${counted(totals.error, "case")}.`,
    };
  const names = Object.keys(levels) as Level[];
  const requested =
    level === undefined ? names.filter((name) => levels[name] !== "not-claimed") : [level];
  // Who asks for a level by its name wants it whole.
  const met = level === undefined ? ["earned", "one-client"] : ["earned"];
  const missed = requested.filter((name) => !met.includes(levels[name]));
  if (missed.length === 0) {
    const earned = requested.map((name) =>
      levels[name] === "one-client" ? `${capitalised(name)} (one client)` : capitalised(name),
    );
    return { code: 0, sentence: `Earned: ${earned.join(", ")}.` };
  }
  return {
    code: 3,
    sentence: `Nothing failed, but not earned: ${missed.map(capitalised).join(", ")}. ${whyNot(report, missed)}`,
  };
}

function whyNot(report: Report, missed: readonly Level[]): string {
  const { totals, levels } = report;
  if (report.partial) return "Only a part of the cases was run.";
  if (report.probed)
    return "The profile was found out by trying: export a harness with a 'profile' to earn a level.";
  if (missed.every((name) => levels[name] === "not-claimed"))
    return "The profile does not claim it.";
  if (missed.some((name) => levels[name] === "one-client"))
    return "Races across clients were not run: the harness has no 'peer', or the profile claims one client.";
  const reasons = (["xfail", "inconclusive", "not-run"] as const)
    .filter((status) => totals[status] > 0)
    .map((status) => `${totals[status]} ${status}`);
  return reasons.length === 0
    ? "Its cases do not apply: see the harness's optional parts, such as 'reopen'."
    : `${reasons.join(", ")}.`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function capitalised(level: Level): string {
  return level.charAt(0).toUpperCase() + level.slice(1);
}
