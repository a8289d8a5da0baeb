import { groupOf } from "../cases/case.js";
import { causesOf, explanationsOf } from "../report/causes.js";
import { STATUSES, type GroupTotal, type Report, type Status } from "../report/report.js";

/** `14/16 (2 n/a)`: how many passed, of how many that apply. */
export function cellOf({ passed, applicable, notApplicable, untested }: GroupTotal): string {
  const left = [
    ...(notApplicable === 0 ? [] : [`${notApplicable} n/a`]),
    ...(untested === 0 ? [] : [`${untested} untested`]),
  ];
  const beside = left.length === 0 ? "" : ` (${left.join(", ")})`;
  return applicable === 0 ? `–${beside}` : `${passed}/${applicable}${beside}`;
}

/** What is printed after a run: groups, what does not apply and why, warnings, totals, levels, how to do it again. */
export function summaryOf(report: Report): string {
  const { totals } = report;
  const width = Math.max(...Object.keys(report.groups).map((name) => name.length));
  const groups = Object.entries(report.groups).map(([name, total]) => {
    const mark = total.passed === total.applicable ? " " : "!";
    return `${mark} ${name.padEnd(width)}  ${cellOf(total)}`;
  });
  const counts = STATUSES.filter((status) => totals[status] > 0).map(
    (status) => `${totals[status]} ${status}`,
  );
  const levels = Object.entries(report.levels).map(([name, state]) => `${name} ${state}`);
  return [
    ...groups,
    ...reasonLines(report, "not-applicable"),
    ...reasonLines(report, "untested"),
    ...reasonLines(report, "inconclusive"),
    ...reasonLines(report, "xfail"),
    ...causeLines(report),
    ...(report.warnings.length === 0 ? [] : ["", "Warnings"]),
    ...report.warnings.map((warning) => `  ${warning}`),
    "",
    `${report.backend.name}: ${counts.join(", ")}, in ${(report.ms / 1000).toFixed(1)} s`,
    `Levels: ${levels.join(", ")}${report.probed ? " (the profile was found out by trying)" : ""}`,
    ...(report.deviations.length === 0
      ? []
      : [`Under a profile with ${report.deviations.join(", ")}`]),
    `Suite ${report.suite.version} (${report.suite.digest}), tier ${report.tier}, seed ${report.seed}`,
  ].join("\n");
}

/** The reasons of a status, each with what it concerns: `{ "the profile has execute: false": ["exec/*"] }`. */
export function reasonsOf(report: Report, status: Status): Map<string, string[]> {
  const reasons = new Map<string, string[]>();
  for (const outcome of report.cases) {
    if (outcome.status !== status) continue;
    const reason = outcome.reason ?? "no reason given";
    reasons.set(reason, [...(reasons.get(reason) ?? []), outcome.id]);
  }
  for (const [reason, ids] of reasons) reasons.set(reason, shortened(report, ids));
  return reasons;
}

/** Whole groups as `group/*`. */
function shortened({ cases }: Report, ids: readonly string[]): string[] {
  const listed = new Set(ids);
  const whole = new Set(
    ids
      .map(groupOf)
      .filter((group) => cases.every(({ id }) => groupOf(id) !== group || listed.has(id))),
  );
  return [...new Set(ids.map((id) => (whole.has(groupOf(id)) ? `${groupOf(id)}/*` : id)))];
}

/** Cases of a cause that are named. */
const MAX_NAMED = 6;

/** What failed, by cause, and what would explain much of it. */
function causeLines({ cases }: Report): string[] {
  const causes = causesOf(cases);
  if (causes.length === 0) return [];
  const lines = causes.map(({ message, ids }) => {
    const more = ids.length > MAX_NAMED ? `, and ${ids.length - MAX_NAMED} more` : "";
    const [first = ""] = message.split("\n");
    const clipped = first.length > 200 ? `${first.slice(0, 200)}…` : first;
    return `  ${ids.length} × ${clipped} (${ids.slice(0, MAX_NAMED).join(", ")}${more})`;
  });
  const explanations = explanationsOf(causes);
  return [
    "",
    "Failures by cause",
    ...lines,
    ...(explanations.length === 0 ? [] : ["", "If the storage really differs, say so"]),
    ...explanations.map((explanation) => `  ${explanation}`),
  ];
}

function reasonLines(report: Report, status: Status): string[] {
  const reasons = reasonsOf(report, status);
  if (reasons.size === 0) return [];
  const lines = [...reasons].map(([reason, ids]) => `  ${reason}: ${ids.join(", ")}`);
  return ["", status.charAt(0).toUpperCase() + status.slice(1), ...lines];
}
