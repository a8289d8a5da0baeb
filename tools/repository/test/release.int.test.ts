import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { output } from "../src/tarballs.js";
import { trackedFiles } from "../src/tracked-files.js";
import { publicPackages, root, type Manifest } from "../src/workspace.js";

// `changeset version` edits files, so it works on a copy of the repository.
let copy: string;
const git = (...args: string[]): Promise<string> => output("git", args, { cwd: copy });
const author = ["-c", "user.name=test", "-c", "user.email=test@example.com"];

/** The versions of all packages after a release of one more changeset; the next release begins with these. */
async function release(bumps: readonly string[]): Promise<Map<string, string>> {
  const text = `---\n${bumps.join("\n")}\n---\n\nA sentence for users.\n`;
  await writeFile(join(copy, ".changeset/release-test.md"), text);
  const changeset = join(root, "node_modules/@changesets/cli/bin.js");
  await output(process.execPath, [changeset, "version"], { cwd: copy });
  await git("add", "--all");
  await git(...author, "commit", "--quiet", "--no-verify", "-m", "version");
  const versions = publicPackages().map(async ({ name, folder }) => {
    const manifest = await readFile(join(copy, folder, "package.json"), "utf8");
    return [name, (JSON.parse(manifest) as Manifest).version] as const;
  });
  return new Map(await Promise.all(versions));
}

beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "fs-release-"));
  for (const file of trackedFiles()) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await cp(join(root, file), join(copy, file));
  }
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  await git(...author, "commit", "--quiet", "--no-verify", "-m", "copy");
});
afterAll(() => rm(copy, { recursive: true, force: true }));

test("changeset version raises every package that a changeset names, and writes its changelog", async () => {
  const versions = await release(publicPackages().map(({ name }) => `"${name}": minor`));

  expect(existsSync(join(copy, ".changeset/release-test.md"))).toBe(false);
  for (const { folder, manifest } of publicPackages()) {
    const after: Manifest = JSON.parse(await readFile(join(copy, folder, "package.json"), "utf8"));
    // A peer of a peer that moves would be a major version, were its range not as wide as 0.x.
    expect(`${folder} ${versions.get(after.name)?.slice(0, 2)}`).toBe(`${folder} 0.`);
    expect(`${folder} ${after.version}`).not.toBe(`${folder} ${manifest.version}`);
    const changelog = await readFile(join(copy, folder, "CHANGELOG.md"), "utf8");
    expect(changelog).toContain(`## ${after.version}`);
    expect(changelog).toContain("A sentence for users.");
    // Dependents keep following the workspace; a fixed number would publish a stale range.
    for (const [name, range] of Object.entries(after.dependencies ?? {}))
      if (name.startsWith("@fs/")) expect(range).toMatch(/^workspace:/);
  }
});

test("a fix of one backend releases that backend alone", async () => {
  const before = await release([`"@fs/conformance": patch`]);
  const after = await release([`"@fs/s3": patch`]);
  const moved = [...after].filter(([name, version]) => before.get(name) !== version);
  expect(moved.map(([name]) => name)).toEqual(["@fs/s3"]);
});

test("a protocol that breaks takes its backends along to one version, and nothing else to a minor", async () => {
  const before = await release([`"@fs/redis": patch`]);
  const after = await release([`"@fs/protocol": minor`]);
  const together = after.get("@fs/protocol");
  const linked = [
    "conformance",
    "disk",
    "hub",
    "postgres",
    "redis",
    "s3",
    "shell",
    "state",
    "store",
  ];
  expect(linked.map((name) => after.get(`@fs/${name}`))).toEqual(linked.map(() => together));
  const minorOf = (version = ""): string => version.split(".").slice(0, 2).join(".");
  for (const [name, version] of after)
    if (name !== "@fs/protocol" && !linked.includes(name.slice("@fs/".length)))
      expect([name, minorOf(version)]).toEqual([name, minorOf(before.get(name))]);
});
