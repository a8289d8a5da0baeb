import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, type as system, release } from "node:os";
import { root } from "../bootstrap/repository.mjs";

const SUMMARY = "conformance-matrix.md";
const DETAILS = "conformance-matrix-details.md";
const DETAILS_INTRODUCTION = `# Behaviour matrix: the details

The groups and reasons behind [the behaviour matrix](${SUMMARY}), written with it by \`npm run conformance\`; do not edit.
`;

/** The programs behind the deployments, and how each tells its version. */
const PROGRAMS = [
  { name: "PostgreSQL", command: postgres(), args: ["--version"] },
  { name: "Redis", command: "redis-server", args: ["--version"] },
  { name: "Ceph Object Gateway", command: "radosgw", args: ["--version"] },
  { name: "bubblewrap", command: "bwrap", args: ["--version"] },
  { name: "BusyBox", command: "busybox", args: ["--help"] },
];

/**
 * Writes the matrix and its details from the reports of a folder, into docs or another folder, and gives their paths.
 *
 * @param {string} reports
 * @param {readonly { name: string, reason: string }[]} missing
 * @param {{ commit: string, tier: string }} measured
 * @param {string} [folder]
 */
export function writeMatrix(reports, missing, measured, folder = `${root}/docs`) {
  const summary = `${folder}/${SUMMARY}`;
  const details = `${folder}/${DETAILS}`;
  const cli = `${root}/packages/conformance/dist/cli/main.js`;
  output(process.execPath, [cli, "matrix", reports, "-o", summary, "--details", details]);
  for (const [page, text] of [
    [summary, introduction(missing, measured)],
    [details, DETAILS_INTRODUCTION],
  ])
    writeFileSync(page, `${text}\n${readFileSync(page, "utf8")}`);
  output(`${root}/node_modules/.bin/oxfmt`, [summary, details]);
  return [summary, details];
}

function introduction(missing, { commit, tier }) {
  const versions = PROGRAMS.map(({ name, command, args }) => [name, versionOf(command, args)])
    .filter(([, version]) => version !== undefined)
    .map(([name, version]) => `${name} ${version}`);
  const absent = missing.map(({ name, reason }) => `- **${name} is not measured**: ${reason}.`);
  return [
    "# Behaviour matrix",
    "",
    `Measured on ${new Date().toISOString().slice(0, 10)} ${inTier(tier)} at commit ${commit} by \`npm run conformance\`, which wrote this page; do not edit it.`,
    `Node ${process.versions.node} on ${system()} ${release().split("-", 1)[0]}, ${cpus().length} cores. ${versions.join(", ")}.`,
    "",
    "Every row is a deployment that was run, on a real server where it needs one. What a cell counts is in",
    "[`conformance.md`](conformance.md); the rules by number are in [`semantics.md`](semantics.md).",
    "",
    "The rows of `deepagents` measure its classes, unchanged, against **our** rules, without what they do not claim: error codes,",
    "versions, signals, expressions, and methods that its protocol has not. Where a rule of ours is a decision that could have",
    "been made otherwise, a failure there is a difference, not a defect. They are run as what they say they are: `write`",
    "overwrites, and where the storage keeps no directories, a file may have the name of one. `StateBackend` runs within one",
    "step of a graph, and claims no safety beyond one object.",
    ...(absent.length === 0 ? [] : ["", ...absent]),
    "",
  ].join("\n");
}

function inTier(tier) {
  return tier === "full"
    ? "in the `full` tier"
    : `in the \`${tier}\` tier, or the \`full\` one where a row says so,`;
}

function versionOf(command, args) {
  const { status, stdout } = spawnSync(command, args, { encoding: "utf8" });
  if (status !== 0) return undefined;
  return /\d+(?:\.\d+)+/.exec(stdout)?.[0];
}

/** Debian keeps the server's programs out of the PATH. */
function postgres() {
  const folder = "/usr/lib/postgresql";
  if (!existsSync(folder)) return "postgres";
  const [newest] = readdirSync(folder).toSorted((a, b) => Number(b) - Number(a));
  return `${folder}/${newest}/bin/postgres`;
}

function output(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
  return stdout;
}
