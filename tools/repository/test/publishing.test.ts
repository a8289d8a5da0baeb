import { readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { lockedClosure } from "../src/locked-closure.js";
import { linkProblems, linkTargets, publishingProblems } from "../src/publishing.js";
import type { PublishedManifest } from "../src/publishing.js";
import { output } from "../src/tarballs.js";
import { missingParts, publicPackages, root, workspacePackages } from "../src/workspace.js";

const secret = new Set(
  workspacePackages()
    .filter(({ manifest }) => manifest.private === true)
    .map(({ name }) => name),
);
const isPrivate = (name: string): boolean => secret.has(name);
const manifestOf = (folder: string): PublishedManifest =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));

describe.each(publicPackages())("$name", (pkg) => {
  test("can be published as it is", () => {
    expect(publishingProblems(pkg.folder, manifestOf(pkg.folder), isPrivate)).toEqual([]);
  });

  test("has no link in its README that leaves the tarball", ({ skip }) => {
    skip(missingParts(pkg).length > 0, "it is still being written");
    expect(linkProblems(pkg, manifestOf(pkg.folder))).toEqual([]);
  });
});

describe("the checks bite", () => {
  const good = manifestOf("packages/store");
  test.each<[string, PublishedManifest, string]>([
    ["no repository", { ...good, repository: {} }, "repository.type is undefined"],
    ["the repository of a fork", { ...good, bugs: { url: "https://x" } }, "bugs.url is https://x"],
    ["no changelog", { ...good, files: ["lib"] }, "files leaves out CHANGELOG.md"],
    ["no check before packing", { ...good, scripts: {} }, "scripts.prepack is undefined"],
    ["sources", { ...good, files: ["CHANGELOG.md", "lib", "src"] }, "files holds src"],
    [
      "an entry that is published nowhere",
      { ...good, exports: { ...good.exports, "./new": "./dist/new.js" } },
      "publishConfig.exports is not exports",
    ],
    [
      "a private dependency",
      { ...good, dependencies: { "@fs/test-servers": "workspace:*" } },
      "@fs/test-servers is private",
    ],
  ])("%s", (_, manifest, problem) => {
    const [first] = publishingProblems("packages/store", manifest, isPrivate);
    expect(first).toContain(problem);
  });

  test("links in code are none", () => {
    expect(linkTargets("[a](b.md)\n```ts\nx[0](c.md)\n```\n[d](e#f)")).toEqual(["b.md", "e#f"]);
  });

  test("the lockfile's closure follows workspace packages", () => {
    const lock = `importers:
  packages/a:
    dependencies:
      '@x/b': { specifier: 'workspace:^', version: 'link:../b' }
  packages/b:
    dependencies:
      c: { specifier: ^1, version: 1.0.0 }
    devDependencies:
      never: { specifier: ^1, version: 1.0.0 }
snapshots:
  c@1.0.0: { dependencies: { d: 2.0.0 } }
  d@2.0.0: {}
`;
    expect(lockedClosure(lock, "packages/a")).toEqual(["c@1.0.0", "d@2.0.0", "packages/b"]);
    expect(() => lockedClosure(lock, "packages/c")).toThrow("does not hold packages/c");
  });
});

describe("packing a folder that was not compiled", () => {
  let copy: string;
  let folder: string;
  const pack = (): Promise<string> => output("npm", ["pack", "--dry-run"], { cwd: folder });
  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), "fs-prepack-"));
    folder = join(copy, "packages/a");
    await mkdir(join(folder, "src"), { recursive: true });
    for (const tools of ["tools/bootstrap", "tools/packaging"])
      await cp(join(root, tools), join(copy, tools), { recursive: true });
    await symlink(join(root, "node_modules"), join(copy, "node_modules"), "junction");
    const scripts = { prepack: manifestOf("packages/store").scripts?.["prepack"] };
    const exports = { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } };
    const manifest = { name: "a", version: "1.0.0", files: ["lib"], exports, scripts };
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
    await writeFile(join(folder, "src/index.ts"), "export {};\n");
  });
  afterAll(() => rm(copy, { recursive: true, force: true }));

  test("is refused until every module is there, and while one is there too many", async () => {
    await expect(pack()).rejects.toThrow("dist/index.d.ts is not compiled");
    await mkdir(join(folder, "dist"));
    for (const ending of [".js", ".js.map", ".d.ts", ".d.ts.map"])
      await writeFile(join(folder, `dist/index${ending}`), "");
    await pack();
    await writeFile(join(folder, "dist/gone.js"), "");
    await expect(pack()).rejects.toThrow("dist/gone.js has no source any more");
  });
});
