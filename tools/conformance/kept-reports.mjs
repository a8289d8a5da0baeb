// The reports of all deployments, kept in the repository without the cases that passed, so that the matrix need not be measured
// in one run: `measured/<package>-<deployment>.json`.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { root } from "../bootstrap/repository.mjs";
import { briefly, inFull, textOf } from "./brief-report.mjs";
import { MEASURED, packageOf, sameMeasurement } from "./same-measurement.mjs";

const PAGE = `${root}/docs/conformance-matrix.md`;
const KEPT = fileURLToPath(new URL("measured/", import.meta.url));

/** The commit that is measured; with a `+` where the sources are not quite its. */
export function commitLabel() {
  const commit = git("rev-parse", "--short", "HEAD");
  const changes = git("status", "--porcelain", "--", ...MEASURED);
  return changes === "" ? commit : `${commit}+`;
}

/**
 * Keeps the reports of a folder instead of older ones of the same deployments, unless such a one is of the full tier, the new
 * one is not, and nothing has changed in between.
 *
 * @param {string} folder
 * @param {{ whole: boolean }} options `whole`: they are all there are, so that what has no report any more is forgotten.
 */
export function keepReports(folder, { whole }) {
  const reports = reportsIn(folder);
  mkdirSync(KEPT, { recursive: true });
  for (const [file, report] of reports)
    if (isBetter(report, keptReport(file)))
      writeFileSync(`${KEPT}${file}`, textOf(briefly(report)));
  if (!whole) return;
  const files = new Set(reports.map(([file]) => file));
  for (const file of readdirSync(KEPT)) if (!files.has(file)) rmSync(`${KEPT}${file}`);
}

function isBetter(report, kept) {
  if (kept === undefined) return true;
  if (report.date < kept.date) return false;
  const isLess = kept.tier === "full" && report.tier !== "full";
  return !isLess || !sameMeasurement(kept, report.commit);
}

/**
 * Writes the reports that are kept into a folder, as the suite wrote them but for the cases that passed.
 *
 * @param {string} folder
 */
export function writeKeptReports(folder) {
  mkdirSync(folder, { recursive: true });
  for (const [file, kept] of reportsIn(KEPT))
    writeFileSync(`${folder}/${file}`, JSON.stringify(inFull(kept)));
}

/**
 * The deployments of which no report is kept that says what a measurement in this tier would, each with why and with the name
 * of what measures it. The full tier holds the cases of the quick one, so that it may stand beside it; and so may a report of
 * another commit with which the deployment and the suite are the same.
 *
 * @param {{ commit: string, tier: string }} wanted
 * @returns {{ name: string, owner: string, why: string }[]}
 */
export function whatIsMissing({ commit, tier }) {
  const reports = reportsIn(KEPT).map(([, report]) => report);
  const others = reports
    .filter((report) => ![tier, "full"].includes(report.tier) || !sameMeasurement(report, commit))
    .map(({ backend, commit: other, tier: its }) => ({
      name: backend.name,
      owner: ownerIn(backend.version),
      why: `${its} at ${other}`,
    }));
  const known = new Set(reports.map(({ backend }) => backend.name));
  const absent = deploymentsOfThePage().filter(({ name }) => !known.has(name));
  return [...others, ...absent.map((deployment) => ({ ...deployment, why: "no report" }))];
}

function keptReport(file) {
  return existsSync(`${KEPT}${file}`)
    ? JSON.parse(readFileSync(`${KEPT}${file}`, "utf8"))
    : undefined;
}

function reportsIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .toSorted()
    .map((name) => [name, JSON.parse(readFileSync(`${folder}/${name}`, "utf8"))]);
}

function deploymentsOfThePage() {
  const rows = /^\| \[([^\]]+)\]\([\w.-]*#deployment-\d+\) +\| ([^|]*)/gm;
  return [...readFileSync(PAGE, "utf8").matchAll(rows)].map(([, name, version]) => ({
    name,
    owner: ownerIn(version),
  }));
}

/** What measures a deployment of this version: a package of ours, or all that measures those of others. */
function ownerIn(version) {
  return packageOf(version) ?? "deepagents";
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr}`);
  return stdout.trim();
}
