// `npm run conformance [-- --tier quick] [-- redis s3 ...]`: measures every backend of the repository, and those of
// `deepagents`, on real servers, and writes docs/conformance-matrix.md. Without names of packages everything is measured
// anew; with names only those are, and the other rows stay as they were.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { requireSupportedNode } from "../bootstrap/check-node.mjs";
import { installMissingDebianPackages } from "../bootstrap/debian-packages.mjs";
import { build, installIfStale } from "../bootstrap/prepare.mjs";
import { root } from "../bootstrap/repository.mjs";
import { measurements } from "./measurements.mjs";
import { writeMatrix } from "./matrix-page.mjs";

const REPORTS = `${root}/reports`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tier: { type: "string", default: "full" } },
});

requireSupportedNode();
installIfStale();
installMissingDebianPackages();
build("packages/conformance");

const { files, missing } = measurements(positionals);
for (const { name, reason } of missing) warn(`${name} IS NOT MEASURED: ${reason}`);

if (positionals.length === 0) rmSync(REPORTS, { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });

const commit = spawnSync("git", ["rev-parse", "--short", "HEAD"], { cwd: root, encoding: "utf8" });
const vitest = spawnSync(
  process.execPath,
  [
    `${root}/node_modules/vitest/vitest.mjs`,
    "run",
    "--config",
    `${root}/tools/conformance/vitest.config.ts`,
    // Not what else is in those files; but their complaints about missing servers.
    "--testNamePattern",
    "conformance of |was measured|has what it needs",
    ...files,
  ],
  {
    cwd: root,
    stdio: "inherit",
    env: {
      ...process.env,
      // A missing server is a failure here, not a row that nobody misses.
      CI: "true",
      // Nothing is left out here, however slow.
      FS_TEST_ALL_SANDBOXES: "1",
      FS_TEST_ALL_STAGING: "1",
      FS_CONFORMANCE_TIER: values.tier,
      FS_CONFORMANCE_REPORTS: REPORTS,
      FS_CONFORMANCE_COMMIT: commit.stdout.trim(),
    },
  },
);

const reports = readdirSync(REPORTS);
if (reports.length === 0) throw new Error("Nothing was measured.");
const target = writeMatrix(REPORTS, missing);
console.error(`Wrote ${target} from ${reports.length} reports in reports/.`);
for (const { name, reason } of missing) warn(`${name} IS NOT MEASURED: ${reason}`);
if (vitest.status !== 0)
  warn("Some of our own deployments failed, or a server was missing: see above.");
process.exitCode = vitest.status ?? 1;

function warn(sentence) {
  console.error(`\n*** ${sentence} ***\n`);
}
