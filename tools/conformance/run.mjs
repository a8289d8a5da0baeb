// `npm run conformance [-- --tier quick] [-- --deployment "disk"] [-- redis s3 ...]`: measures every backend of the
// repository, and those of `deepagents`, on real servers, each into a report in reports/, and writes the matrix' pages once
// there is a report of this commit and tier, or of the full one, for every deployment. Names of packages or of one
// deployment measure only those; the other reports stay. `--assemble` measures nothing and writes the pages; with
// `--out FOLDER` they go there, complete or not.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { requireSupportedNode } from "../bootstrap/check-node.mjs";
import { installMissingDebianPackages } from "../bootstrap/debian-packages.mjs";
import { build, installIfStale } from "../bootstrap/prepare.mjs";
import { root } from "../bootstrap/repository.mjs";
import { commitLabel, whatIsMissing } from "./kept-reports.mjs";
import { writeMatrix } from "./matrix-page.mjs";
import { measurements } from "./measurements.mjs";

const REPORTS = `${root}/reports/conformance`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    tier: { type: "string", default: "full" },
    deployment: { type: "string" },
    assemble: { type: "boolean", default: false },
    out: { type: "string" },
  },
});

requireSupportedNode();
installIfStale();
const commit = commitLabel();
const { files, missing } = measurements(positionals);
let failed = false;
if (!values.assemble) {
  installMissingDebianPackages();
  for (const { name, reason } of missing) warn(`${name} IS NOT MEASURED: ${reason}`);
  if (positionals.length === 0 && values.deployment === undefined)
    rmSync(REPORTS, { recursive: true, force: true });
  mkdirSync(REPORTS, { recursive: true });
  failed = measure() !== 0;
  if (failed) warn("Some of our own deployments failed, or a server was missing: see above.");
}
build("packages/conformance");
const open = whatIsMissing(REPORTS, { commit, tier: values.tier });
if (open.length > 0)
  console.error(
    `Not all reports are of ${values.tier} at ${commit}:\n${open.map((line) => `- ${line}`).join("\n")}`,
  );
if (open.length === 0 || values.out !== undefined) {
  const pages = writeMatrix(REPORTS, missing, { commit, tier: values.tier }, values.out);
  console.error(`Wrote ${pages.join(" and ")}.`);
} else console.error("The pages are as they were.");
process.exitCode =
  failed || (values.assemble && open.length > 0 && values.out === undefined) ? 1 : 0;

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
      `${deploymentPattern(values.deployment)}|has what it needs`,
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
function deploymentPattern(name) {
  if (name === undefined) return "conformance of |was measured";
  const escaped = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  return `conformance of ${escaped} [a-z-]+/|'?${escaped}'? was measured`;
}

function warn(sentence) {
  console.error(`\n*** ${sentence} ***\n`);
}
