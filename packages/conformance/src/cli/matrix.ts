import { groupOf } from "../cases/case.js";
import { allCases } from "../cases/catalogue.js";
import { BAD_STATUSES, type LevelState, type Report } from "../report/report.js";
import { cellText, table } from "./markdown.js";
import { cellOf, reasonsOf } from "./summary.js";

const LEVEL_WORDS: Readonly<Record<LevelState, string>> = {
  earned: "**earned**",
  "one-client": "one client",
  withheld: "no",
  partial: "partial run",
  "not-claimed": "not claimed",
};

/**
 * The behaviour matrix of several reports, as Markdown: a row per deployment; cells are how many cases passed of how many
 * apply, as in `14/16 (2 n/a)`, linked to the reasons below.
 */
export function matrixOf(reports: readonly Report[]): string {
  return pageOf([...levelSections(reports, ""), ...groupSections(reports), ...allReasons(reports)]);
}

/** The matrix on two pages: levels and where something failed, to read; and everything else, to look up. */
export interface MatrixPages {
  readonly summary: string;
  readonly details: string;
}

/**
 * The behaviour matrix in two.
 *
 * @param details How the summary links to the other page.
 */
export function matrixPagesOf(reports: readonly Report[], details: string): MatrixPages {
  return {
    summary: pageOf([...levelSections(reports, details), ...failedGroups(reports, details)]),
    details: pageOf([...groupSections(reports), ...allReasons(reports)]),
  };
}

function pageOf(sections: readonly string[]): string {
  return `${sections.join("\n\n")}\n`;
}

function levelSections(reports: readonly Report[], page: string): string[] {
  const digests = new Set(reports.map(({ suite }) => suite.digest));
  return [
    ...(digests.size > 1
      ? [
          `**These reports are of ${digests.size} different sets of cases; see the column “cases”.**`,
        ]
      : []),
    "## Levels",
    table(
      ["deployment", "version", "Core", "Safe", "Durable", "Exec", "passed", "date", "cases"],
      reports.map((report, row) => levelRow(report, row, page)),
    ),
  ];
}

/** Only the groups in which something failed, so that they can be read. */
function failedGroups(reports: readonly Report[], page: string): string[] {
  const rows = reports.flatMap((report, row) => {
    const failed = Object.entries(report.groups).filter(
      ([, { passed, applicable }]) => passed < applicable,
    );
    if (failed.length === 0) return [];
    const cells = failed.map(
      ([group, { passed, applicable }]) =>
        `[${group}](${page}#${anchor(row, group)}) ${applicable - passed}`,
    );
    return [[cellText(report.backend.name), cells.join(", ")]];
  });
  if (rows.length === 0) return ["Everything that applies passes, in every deployment."];
  return [
    "## What does not pass",
    "Cases that apply and did not pass, by group. Deployments that are not here have none.",
    table(["deployment", "cases"], rows),
  ];
}

function groupSections(reports: readonly Report[]): string[] {
  const present = new Set(reports.flatMap(({ groups: own }) => Object.keys(own)));
  // In the order of the suite; groups that only other versions of it have come last.
  const names = [...new Set([...allCases().map(({ id }) => groupOf(id)), ...present])].filter(
    (group) => present.has(group),
  );
  return [
    "## Groups",
    "Passed of those that apply; `n/a` do not apply to what the deployment claims. A cell in bold has failures; its link leads to them.",
    table(
      ["deployment", ...names],
      reports.map((report, row) => [
        cellText(report.backend.name),
        ...names.map((group) => groupCell(report, row, group)),
      ]),
    ),
  ];
}

function allReasons(reports: readonly Report[]): string[] {
  return ["## Reasons", ...reports.flatMap((report, row) => reasons(report, row))];
}

function levelRow(report: Report, row: number, page: string): string[] {
  const { backend, levels, suite, tier, date } = report;
  const { "not-applicable": notApplicable, untested } = report.totals;
  const applicable = suite.cases - notApplicable - untested;
  return [
    `[${cellText(backend.name)}](${page}#${anchor(row)})`,
    cellText(backend.version ?? ""),
    ...(["core", "safe", "durable", "exec"] as const).map((level) => LEVEL_WORDS[levels[level]]),
    cellOf({
      passed: report.totals.pass,
      applicable,
      notApplicable,
      untested,
    }),
    `${date.slice(0, 10)}, ${tier}`,
    suite.digest,
  ];
}

function groupCell(report: Report, row: number, group: string): string {
  const total = report.groups[group];
  if (total === undefined) return "not run";
  const text = cellOf(total);
  return total.passed === total.applicable ? text : `[**${text}**](#${anchor(row, group)})`;
}

function reasons(report: Report, row: number): string[] {
  const { backend, environment, seed, tier, suite } = report;
  const lines = report.cases.filter(
    ({ status }) => BAD_STATUSES.has(status) || status === "inconclusive" || status === "xfail",
  );
  let last = "";
  const items = lines.map(({ id, rules, status, reason, failure }) => {
    const group = groupOf(id);
    const target = group === last ? "" : `<a id="${anchor(row, group)}"></a>`;
    last = group;
    const text = status === "xfail" ? reason : (failure?.message ?? reason);
    return `- ${target}\`${id}\` (${rules.join(", ")}), ${status}: ${cellText(short(text ?? ""))}`;
  });
  const notApplicable = (["not-applicable", "untested"] as const).flatMap((status) =>
    [...reasonsOf(report, status)].map(
      ([reason, ids]) =>
        `- ${status === "untested" ? status : "n/a"}, ${cellText(reason)}: ${ids.map((id) => `\`${id}\``).join(", ")}`,
    ),
  );
  return [
    `### <a id="${anchor(row)}"></a>${cellText(backend.name)}`,
    `Suite ${suite.version}, tier ${tier}, seed ${seed}, Node ${environment.node} on ${environment.platform}.${report.probed ? " The profile was found out by trying, so that no level is earned." : ""}${report.partial ? " Only a part of the cases was run." : ""}${report.deviations.length === 0 ? "" : ` Under a profile with ${report.deviations.map((field) => `\`${field}\``).join(", ")}.`}`,
    [
      ...(items.length === 0 ? ["- Everything that applies passes."] : items),
      ...notApplicable,
    ].join("\n"),
  ];
}

/** Sentences about long content would hide the list. */
function short(text: string): string {
  const line = text.split("\n", 1)[0] ?? "";
  return line.length > 240 ? `${line.slice(0, 240)}…` : line;
}

function anchor(row: number, group?: string): string {
  return group === undefined ? `deployment-${row + 1}` : `deployment-${row + 1}-${group}`;
}
