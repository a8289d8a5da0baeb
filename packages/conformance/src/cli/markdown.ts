import { BAD_STATUSES, STATUSES, type CaseOutcome, type Report } from "../report/report.js";
import { cellOf, reasonsOf } from "./summary.js";

/** A report as Markdown: levels, groups, every failure with its calls, and why what was not run was not. */
export function markdownOf(report: Report): string {
  const { backend, totals } = report;
  const version = backend.version === undefined ? "" : ` ${backend.version}`;
  const counts = STATUSES.filter((status) => totals[status] > 0).map(
    (status) => `${totals[status]} ${status}`,
  );
  const sections = [
    `# Conformance of ${cellText(backend.name)}${cellText(version)}`,
    `${report.date.slice(0, 10)} · tier ${report.tier} · seed ${report.seed} · suite ${report.suite.version} (${report.suite.digest}) · Node ${report.environment.node} · ${report.environment.platform}`,
    table(["level", ""], Object.entries(report.levels)),
    `${counts.join(", ")}.${report.partial ? " Only a part of the cases was run." : ""}${report.probed ? " The profile was found out by trying." : ""}`,
    table(
      ["group", "passed"],
      Object.entries(report.groups).map(([group, total]) => [group, cellOf(total)]),
    ),
    ...failures(report.cases),
    ...reasonSection(report, "not-applicable", "Not applicable"),
    ...reasonSection(report, "untested", "Untested"),
    ...reasonSection(report, "inconclusive", "Inconclusive"),
    ...reasonSection(report, "xfail", "Expected to fail"),
    ...(report.warnings.length === 0 ? [] : ["## Warnings", bullets(report.warnings)]),
  ];
  return `${sections.join("\n\n")}\n`;
}

/** A table. Cells are taken as Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** Any text as the content of a table's cell or a list's item: one line, nothing in it is markup. */
export function cellText(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll(/[\\`*_<>|[\]#~&]/g, (character) => `\\${character}`);
}

/** Any text as code, whatever backticks it has. */
function codeBlock(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}

function failures(cases: readonly CaseOutcome[]): string[] {
  const bad = cases.filter(({ status }) => BAD_STATUSES.has(status));
  if (bad.length === 0) return [];
  return [
    "## What did not pass",
    ...bad.flatMap(({ id, rules, status, text, reason }) => [
      `### ${cellText(id)} (${rules.join(", ")}): ${status}`,
      codeBlock(text ?? reason ?? status),
    ]),
  ];
}

function reasonSection(
  report: Report,
  status: "not-applicable" | "untested" | "inconclusive" | "xfail",
  title: string,
): string[] {
  const reasons = [...reasonsOf(report, status)];
  if (reasons.length === 0) return [];
  return [`## ${title}`, bullets(reasons.map(([reason, ids]) => `${reason}: ${ids.join(", ")}`))];
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${cellText(item)}`).join("\n");
}
