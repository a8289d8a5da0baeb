// `npm run conformance [-- --tier quick] [-- --deployment "disk"] [-- redis s3 ...]`: measures every backend of the
// repository, and those of `deepagents`, on real servers, keeps what their reports say in tools/conformance/measured, and writes
// the matrix' pages once that is of this commit and tier, or of the full one, for every deployment. Names of packages or of one
// deployment measure only those, and `--resume` only what is missing; all else stays. `--assemble` measures nothing, but takes up
// what a run that was ended has left in reports/, and writes the pages; with `--out FOLDER` they go there, complete or not.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { requireSupportedNode } from "../bootstrap/check-node.mjs";
import { installMissingDebianPackages } from "../bootstrap/debian-packages.mjs";
import { build, installIfStale } from "../bootstrap/prepare.mjs";
import { root } from "../bootstrap/repository.mjs";
import { commitLabel, keepReports, whatIsMissing, writeKeptReports } from "./kept-reports.mjs";
import { writeMatrix } from "./matrix-page.mjs";
import { measurements } from "./measurements.mjs";

const REPORTS = `${root}/reports/conformance`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tier: { type: "string", default: "full" },
    deployment: { type: "string" },
    resume: { type: "boolean", default: false },
    assemble: { type: "boolean", default: false },
    out: { type: "string" },
  },
});

requireSupportedNode();
installIfStale();
const commit = commitLabel();
const wanted = { commit, tier: values.tier };
const left = values.resume ? whatIsMissing(wanted) : [];
const isPart = positionals.length > 0 || values.deployment !== undefined;
if (values.resume && (isPart || values.assemble))
  throw new Error("--resume measures all that is missing: it takes no names, and no --assemble.");
const owners = [...new Set(left.map(({ owner }) => owner))];
const { files, missing } = measurements(values.resume ? owners : positionals);
const measures = !values.assemble && (!values.resume || left.length > 0);
let failed = false;
if (measures) {
  installMissingDebianPackages();
  for (const { name, reason } of missing) warn(`${name} IS NOT MEASURED: ${reason}`);
  rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  failed = measure() !== 0;
  if (failed) warn("Some of our own deployments failed, or a server was missing: see above.");
}
keepReports(REPORTS, { whole: measures && !isPart && !values.resume && !failed });
build("packages/conformance");
const open = whatIsMissing(wanted);
if (open.length > 0)
  console.error(
    `Not all reports are of ${values.tier} at ${commit}:\n${open.map(({ name, why }) => `- ${name}: ${why}`).join("\n")}`,
  );
if (commit.endsWith("+")) console.error("The sources have changes that are not committed.");
const complete = open.length === 0 && !commit.endsWith("+");
if (complete || values.out !== undefined) writePages();
else console.error("The pages are as they were.");
process.exitCode = failed || (values.assemble && !complete && values.out === undefined) ? 1 : 0;

function writePages() {
  const reports = mkdtempSync(join(tmpdir(), "fs-reports-"));
  try {
    writeKeptReports(reports);
    const pages = writeMatrix(reports, measurements([]).missing, wanted, values.out);
    console.error(`Wrote ${pages.join(" and ")}.`);
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}

function measure() {
  const { status } = spawnSync(
    process.execPath,
    [
      `${root}/node_modules/vitest/vitest.mjs`,
      "run",
      "--config",
      `${root}/tools/conformance/vitest.config.ts`,
      // Not what else is in those files; but their complaints about missing servers.
      "--testNamePattern",
      `${patternOfTests()}|has what it needs`,
      ...files,
    ],
    {
      cwd: root,
      stdio: "inherit",
      env: {
        ...process.env,
        // A missing server is a failure here, not a row that goes unmissed.
        CI: "true",
        // Nothing is left out here, however slow.
        FS_TEST_ALL: "1",
        FS_TEST_ALL_SANDBOXES: "1",
        FS_TEST_ALL_STAGING: "1",
        FS_CONFORMANCE_TIER: values.tier,
        FS_CONFORMANCE_REPORTS: REPORTS,
        FS_CONFORMANCE_COMMIT: commit,
      },
    },
  );
  return status ?? 1;
}

/** The tests of one deployment are named after it and then their case, which has a slash. */
function patternOfTests() {
  const one = values.deployment === undefined ? [] : [values.deployment];
  const names = values.resume ? left.map(({ name }) => name) : one;
  if (names.length === 0) return "conformance of |was measured";
  const escaped = names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  return `conformance of (${escaped}) [a-z-]+/|'?(${escaped})'? was measured`;
}

function warn(sentence) {
  console.error(`\n*** ${sentence} ***\n`);
}
