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
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), "fs-release-"));
  for (const file of trackedFiles()) {
    await mkdir(dirname(join(copy, file)), { recursive: true });
    await cp(join(root, file), join(copy, file));
  }
  await symlink(join(root, "node_modules"), join(copy, "node_modules"));
  const git = (...args: string[]): Promise<string> => output("git", args, { cwd: copy });
  await git("init", "--quiet", "--initial-branch=main");
  await git("add", "--all");
  const author = ["-c", "user.name=test", "-c", "user.email=test@example.com"];
  await git(...author, "commit", "--quiet", "--no-verify", "-m", "copy");
});
afterAll(() => rm(copy, { recursive: true, force: true }));

test("changeset version raises every package that a changeset names, and writes its changelog", async () => {
  const bumps = publicPackages().map(({ name }) => `"${name}": minor`);
  const text = `---\n${bumps.join("\n")}\n---\n\nA sentence for users.\n`;
  await writeFile(join(copy, ".changeset/release-test.md"), text);
  const changeset = join(root, "node_modules/@changesets/cli/bin.js");
  await output(process.execPath, [changeset, "version"], { cwd: copy });

  expect(existsSync(join(copy, ".changeset/release-test.md"))).toBe(false);
  for (const { folder, manifest } of publicPackages()) {
    const after: Manifest = JSON.parse(await readFile(join(copy, folder, "package.json"), "utf8"));
    expect(`${folder} ${after.version}`).not.toBe(`${folder} ${manifest.version}`);
    const changelog = await readFile(join(copy, folder, "CHANGELOG.md"), "utf8");
    expect(changelog).toContain(`## ${after.version}`);
    expect(changelog).toContain("A sentence for users.");
    // Dependents keep following the workspace; a fixed number would publish a stale range.
    for (const [name, range] of Object.entries(after.dependencies ?? {}))
      if (name.startsWith("@fs/")) expect(range).toMatch(/^workspace:/);
  }
});
