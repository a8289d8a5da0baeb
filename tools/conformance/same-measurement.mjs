// Whether a report of one commit says what a measurement of another would.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { root } from "../bootstrap/repository.mjs";
import { registersDeployments } from "./measurements.mjs";

/**
 * Whether nothing that a report measured changed between its commit and another: the sources of the deployment's package and
 * of all that it and its tests depend on, the suite, the test servers, the locked dependencies, and the tests of the
 * deployment's package with those of packages that they import. Test files that register no deployment are left out: nothing
 * imports them. A commit that is not known, or sources with changes that are not committed, are never the same.
 *
 * @param {{ backend: { version?: string }, commit: string }} report
 * @param {string} commit
 */
export function sameMeasurement(report, commit) {
  if (report.commit === commit) return true;
  if (report.commit.endsWith("+") || commit.endsWith("+")) return false;
  const { status, stdout } = git("diff", "--name-only", report.commit, commit, "--", ...MEASURED);
  if (status !== 0) return false;
  // The tests of others' backends are the suite's.
  const owner = packageOf(report.backend.version) ?? "conformance";
  return !stdout.split("\n").some((path) => matters(path, owner));
}

/** What the measured code is in, for git: what {@link sameMeasurement} compares. */
export const MEASURED = ["packages", "tools/test-servers", "pnpm-lock.yaml"];

/**
 * The folder of our package that a deployment's version names; `undefined` for backends of others.
 *
 * @param {string | undefined} version
 */
export function packageOf(version) {
  return /^@fs\/([\w-]+)/.exec(version ?? "")?.[1];
}

function matters(path, owner) {
  if (path === "pnpm-lock.yaml" || path.startsWith("tools/test-servers/")) return true;
  const [, name, rest] = /^packages\/([\w-]+)\/(.*)$/.exec(path) ?? [];
  if (name === undefined || rest.endsWith(".md")) return false;
  if (isOtherTest(path)) return false;
  if (name === owner || name === "conformance") return true;
  if (!rest.startsWith("test/")) return sourcesOf(owner).has(name);
  return (
    git("grep", "--quiet", "--fixed-strings", `/${name}/test/`, "--", `packages/${owner}/test`)
      .status === 0
  );
}

/** The packages whose sources run in a deployment of a package: what it and its tests depend on, and what that depends on. */
function sourcesOf(owner) {
  const { dependencies, devDependencies } = manifestOf(owner);
  const found = new Set();
  const open = Object.keys({ ...dependencies, ...devDependencies });
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const name = packageOf(next);
    if (name === undefined || found.has(name) || !existsSync(manifestPathOf(name))) continue;
    found.add(name);
    open.push(...Object.keys(manifestOf(name).dependencies ?? {}));
  }
  return found;
}

function manifestOf(name) {
  return JSON.parse(readFileSync(manifestPathOf(name), "utf8"));
}

function manifestPathOf(name) {
  return `${root}/packages/${name}/package.json`;
}

function isOtherTest(path) {
  const isTest = /^packages\/[\w-]+\/test\/[^/]+\.test\.ts$/.test(path);
  return isTest && existsSync(`${root}/${path}`) && !registersDeployments(path);
}

function git(...args) {
  return spawnSync("git", args, { cwd: root, encoding: "utf8" });
}
