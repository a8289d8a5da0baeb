// The reports that measurements left in a folder, and whether they make one page.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { root } from "../bootstrap/repository.mjs";
import { sameMeasurement } from "./same-measurement.mjs";

const PAGE = `${root}/docs/conformance-matrix.md`;

/** The commit that is measured; with a `+` where the sources are not quite its. */
export function commitLabel() {
  const commit = git("rev-parse", "--short", "HEAD");
  const changes = git("status", "--porcelain", "--", "packages", "tools");
  return changes === "" ? commit : `${commit}+`;
}

/**
 * Why the reports of a folder are no whole page of one commit and at least one tier, a line each: reports of another, and
 * deployments of the present page that have none. The full tier holds the cases of the quick one, so that it may stand beside
 * it; and so may a report of another commit with which the deployment and the suite are the same.
 *
 * @param {string} folder
 * @param {{ commit: string, tier: string }} wanted
 */
export function whatIsMissing(folder, { commit, tier }) {
  const reports = reportsIn(folder);
  const others = reports
    .filter((report) => ![tier, "full"].includes(report.tier) || !sameMeasurement(report, commit))
    .map(({ backend, commit: other, tier: its }) => `${backend.name}: ${its} at ${other}`);
  const known = new Set(reports.map(({ backend }) => backend.name));
  const absent = deploymentsOfThePage()
    .filter((name) => !known.has(name))
    .map((name) => `${name}: no report`);
  const changed = commit.endsWith("+") ? ["the sources have changes that are not committed"] : [];
  return [...changed, ...others, ...absent];
}

function reportsIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8")));
}

function deploymentsOfThePage() {
  return [
    ...readFileSync(PAGE, "utf8").matchAll(/^\| \[([^\]]+)\]\([\w.-]*#deployment-\d+\)/gm),
  ].map(([, name]) => name);
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout.trim();
}
