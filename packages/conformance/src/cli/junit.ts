import { groupOf } from "../cases/case.js";
import type { CaseOutcome, Report } from "../report/report.js";

/** A report as JUnit XML: a suite per group, a test per case; what does not apply, xfail and inconclusive are skipped. */
export function junitOf(report: Report): string {
  const suites = Object.keys(report.groups).map((group) =>
    suiteOf(
      report,
      group,
      report.cases.filter(({ id }) => groupOf(id) === group),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites ${attributes({
    name: `conformance of ${report.backend.name}`,
    ...countsOf(report.cases),
    time: seconds(report.ms),
  })}>\n${suites.join("")}</testsuites>\n`;
}

function suiteOf(report: Report, group: string, cases: readonly CaseOutcome[]): string {
  const total = cases.reduce((sum, { ms }) => sum + ms, 0);
  const tests = cases.map((outcome) => testOf(report, group, outcome));
  return `  <testsuite ${attributes({
    name: group,
    ...countsOf(cases),
    time: seconds(total),
    timestamp: report.date,
  })}>\n${tests.join("")}  </testsuite>\n`;
}

function testOf({ backend }: Report, group: string, outcome: CaseOutcome): string {
  const head = `    <testcase ${attributes({
    classname: `${backend.name}.${group}`,
    name: `${outcome.id} (${outcome.rules.join(", ")})`,
    time: seconds(outcome.ms),
  })}`;
  const body = bodyOf(outcome);
  return body === undefined ? `${head}/>\n` : `${head}>${body}</testcase>\n`;
}

function bodyOf({ status, reason = "", failure, text }: CaseOutcome): string | undefined {
  switch (status) {
    case "pass":
      return undefined;
    case "fail":
    case "timeout":
    case "xpass":
      return element("failure", { type: status, message: failure?.message ?? reason }, text);
    case "error":
      return element("error", { type: status, message: reason }, text);
    case "not-applicable":
    case "untested":
    case "xfail":
    case "inconclusive":
    case "not-run":
      return element("skipped", { message: reason === "" ? status : `${status}: ${reason}` });
  }
}

function countsOf(cases: readonly CaseOutcome[]): Record<string, number> {
  const count = (...statuses: readonly CaseOutcome["status"][]): number =>
    cases.filter(({ status }) => statuses.includes(status)).length;
  return {
    tests: cases.length,
    failures: count("fail", "timeout", "xpass"),
    errors: count("error"),
    skipped: count("not-applicable", "untested", "xfail", "inconclusive", "not-run"),
  };
}

function element(name: string, values: Readonly<Record<string, string>>, text?: string): string {
  const head = `<${name} ${attributes(values)}`;
  return text === undefined ? `${head}/>` : `${head}>${escaped(text)}</${name}>`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escaped(String(value)).replaceAll("\n", "&#10;")}"`)
    .join(" ");
}

/** XML 1.0 has no way to write most control characters, nor half of a surrogate pair. */
function escaped(text: string): string {
  return (
    text
      .toWellFormed()
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      // oxlint-disable-next-line no-control-regex -- these are what XML refuses
      .replaceAll(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "\uFFFD")
  );
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}
