import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { foreignPackages } from "../src/foreign-packages.js";
import { lockedClosure } from "../src/locked-closure.js";
import { consumerOf, installAlone, tryConsumer } from "../src/lone-install.js";
import { buildPackages, installedProgram, packAll, tarballFiles } from "../src/tarballs.js";
import {
  isAnnounced,
  missingParts,
  publicPackages,
  root,
  runtimeDependencies,
  workspaceClosure,
  workspacePackages,
  type WorkspacePackage,
} from "../src/workspace.js";

const all = workspacePackages();
// A package that users have been told of must hold all this; one that is still being written may
// lack a part, and says so as a skipped test.
const lacking = (pkg: WorkspacePackage): boolean => missingParts(pkg).length > 0;
const checked = publicPackages().filter((pkg) => isAnnounced(pkg) || !lacking(pkg));
const unfinished = publicPackages().filter((pkg) => !isAnnounced(pkg) && lacking(pkg));

let folder: string;
let tarballs: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fs-tarballs-"));
  const packed = [...new Set(checked.flatMap((pkg) => workspaceClosure(pkg, all)))];
  await buildPackages(packed);
  tarballs = packed.length === 0 ? new Map() : await packAll(packed, folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function tarballOf(name: string): string {
  const path = tarballs.get(name);
  if (path === undefined) throw new Error(`${name} was not packed`);
  return path;
}

test("every public package has a consumer that tries it", () => {
  const without = publicPackages().filter((pkg) => !existsSync(consumerOf(pkg)));
  expect(without.map(({ name }) => name)).toEqual([]);
});

// In compressed size, so that a change of a few lines is no change here, and a bundled file is.
const STEP_KIB = 64;

test("what each tarball holds and costs is what the repository says", async () => {
  const lockfile = await readFile(join(root, "pnpm-lock.yaml"), "utf8");
  const seen = await Promise.all(
    checked.map(async (pkg) => {
      const tarball = tarballOf(pkg.name);
      const files = await tarballFiles(tarball);
      const { size } = await stat(tarball);
      const dependencies = runtimeDependencies(pkg.manifest).toSorted();
      return [
        pkg.name,
        {
          besideModules: files.filter((file) => !/^(?:dist|src)\//.test(file)),
          sizeKiBAtMost: Math.ceil(size / 1024 / STEP_KIB) * STEP_KIB,
          dependencies,
          installedWithIt: lockedClosure(lockfile, pkg.folder).length,
        },
      ];
    }),
  );
  await expect(`${JSON.stringify(Object.fromEntries(seen), null, 2)}\n`).toMatchFileSnapshot(
    "../snapshots/tarballs.json",
  );
});

test.for(unfinished)("$name is still being written", (pkg, { skip }) => {
  const missing = missingParts(pkg);
  skip(missing.length > 0, `no ${missing.join(", no ")}, and no changeset that names it`);
  expect(missing).toEqual([]);
});

describe.each(checked)("$name", (pkg) => {
  test("holds its readme, its licence, its compiled entries with their sources, and no tests", async () => {
    const files = await tarballFiles(tarballOf(pkg.name));
    expect(files).toEqual(
      expect.arrayContaining([
        "LICENSE",
        "README.md",
        "dist/index.d.ts",
        "dist/index.js",
        "package.json",
        "src/index.ts",
      ]),
    );
    expect(
      files.filter((file) => /(?:^|\/)(?:tests?|node_modules)\/|\.test\.|tsbuildinfo/.test(file)),
    ).toEqual([]);
  });

  test("passes publint and attw", async () => {
    const tarball = tarballOf(pkg.name);
    expect(await installedProgram("publint", ["run", tarball, "--strict"])).toContain("All good!");
    expect(
      await installedProgram("attw", [tarball, "--profile", "esm-only", "--no-emoji"]),
    ).toContain("OK (ESM)");
  });

  test(
    "works alone, installed by npm, and brings nothing foreign",
    { timeout: 300_000 },
    async () => {
      const project = join(folder, basename(pkg.folder));
      const installed = await installAlone(pkg, { all, tarballs, project });
      expect(installed).toContain(pkg.name);
      expect(foreignPackages(pkg, installed, all)).toEqual([]);
      await tryConsumer(pkg, project);
      await rm(project, { recursive: true });
    },
  );
});

describe("foreignPackages bites", () => {
  const find = (name: string): (typeof all)[number] => {
    const pkg = all.find((candidate) => candidate.name === name);
    if (pkg === undefined) throw new Error(`no ${name}`);
    return pkg;
  };
  test.each([
    ["@fs/disk", "@fs/s3", "@fs/s3 came along"],
    ["@fs/disk", "@langchain/core", "LangChain came along: @langchain/core"],
    [
      "@fs/redis",
      "@langchain/langgraph-checkpoint",
      "LangChain came along: @langchain/langgraph-checkpoint",
    ],
    ["@fs/postgres", "@aws-sdk/client-s3", "AWS came along: @aws-sdk/client-s3"],
    ["@fs/state", "pg", "a PostgreSQL client came along: pg"],
    ["@fs/conformance", "vitest", "a test runner came along: vitest"],
  ])("%s with %s", (name, foreign, problem) => {
    expect(foreignPackages(find(name), [name, foreign], all)).toEqual([problem]);
  });

  test("what a package asks for is not foreign", () => {
    expect(foreignPackages(find("@fs/s3"), ["@fs/protocol", "@aws-sdk/core"], all)).toEqual([]);
    expect(foreignPackages(find("@fs/state"), ["@langchain/core", "langsmith"], all)).toEqual([]);
  });
});
