import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { foreignPackages } from "../src/foreign-packages.js";
import { lockedClosure } from "../src/locked-closure.js";
import { askedPackages, loadedFiles, packagesOf } from "../src/loaded-files.js";
import { consumerOf, installAlone, tryConsumer } from "../src/lone-install.js";
import { layOut } from "../src/packed-layout.js";
import { isInRepository, linkTargets } from "../src/publishing.js";
import { publintProblems, typeProblems } from "../src/tarball-checks.js";
import { output, tarballFiles, unpackedBytes } from "../src/tarballs.js";
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
import { tarballsOf } from "./packed.js";

const all = workspacePackages();
// A package that users have been told of must hold all this; one that is still being written may
// lack a part, and says so as a skipped test.
const lacking = (pkg: WorkspacePackage): boolean => missingParts(pkg).length > 0;
const checked = publicPackages().filter((pkg) => !lacking(pkg));
const unfinished = publicPackages().filter(lacking);

let folder: string;
let lockfile: string;
let tarballs: ReadonlyMap<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fs-tarballs-"));
  lockfile = await readFile(join(root, "pnpm-lock.yaml"), "utf8");
  tarballs = tarballsOf(...checked.map(({ name }) => name));
  for (const pkg of checked) await layOut(pkg, { all, tarballs, project: projectOf(pkg) });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function projectOf(pkg: WorkspacePackage): string {
  return join(folder, basename(pkg.folder));
}

function tarballOf(name: string): string {
  const path = tarballs.get(name);
  if (path === undefined) throw new Error(`${name} was not packed`);
  return path;
}

function find(name: string): WorkspacePackage {
  const pkg = all.find((candidate) => candidate.name === name);
  if (pkg === undefined) throw new Error(`no ${name}`);
  return pkg;
}

/** Without the peers that a lockfile lists beside the dependencies. */
function closureOf(pkg: WorkspacePackage): string[] {
  return lockedClosure(lockfile, pkg.folder, (folderOf, name) => {
    const owner = all.find((other) => other.folder === folderOf);
    return owner !== undefined && runtimeDependencies(owner.manifest).includes(name);
  });
}

const importing = (name: string): string[] => ["--input-type=module", "-e", `import "${name}";`];

test("every public package has a consumer that tries it", () => {
  const without = publicPackages().filter((pkg) => !existsSync(consumerOf(pkg)));
  expect(without.map(({ name }) => name)).toEqual([]);
});

const SNAPSHOT = new URL("../snapshots/tarballs.json", import.meta.url);
const STEP_KIB = 16;
const SLACK_KIB = 4;

/**
 * The end of the step in which the size lies, or what the repository says while the size is no further than
 * a little from that step: a change of a few lines is no change here, wherever a step ends, and a bundled file is.
 */
function about(bytes: number, said: number | undefined): number {
  const kib = bytes / 1024;
  const isNear = said !== undefined && kib > said - STEP_KIB - SLACK_KIB && kib <= said + SLACK_KIB;
  return isNear ? said : Math.ceil(kib / STEP_KIB) * STEP_KIB;
}

test("what each tarball holds and costs is what the repository says", async () => {
  const said: Record<string, { packedKiBAbout?: number; unpackedKiBAbout?: number }> = JSON.parse(
    await readFile(SNAPSHOT, "utf8"),
  );
  const seen: Record<string, unknown> = {};
  for (const pkg of checked) {
    const tarball = tarballOf(pkg.name);
    const files = await tarballFiles(tarball);
    const loaded = await loadedFiles(projectOf(pkg), importing(pkg.name));
    seen[pkg.name] = {
      besideModules: files.filter((file) => !file.startsWith("lib/")),
      packedKiBAbout: about((await stat(tarball)).size, said[pkg.name]?.packedKiBAbout),
      unpackedKiBAbout: about(await unpackedBytes(tarball), said[pkg.name]?.unpackedKiBAbout),
      dependencies: runtimeDependencies(pkg.manifest).toSorted(),
      installedWithIt: closureOf(pkg).length,
      ownFilesLoadedAtImport: loaded.filter((file) => file.startsWith("@fs/")).length,
      packagesLoadedAtImport: askedPackages(pkg, all).filter((name) =>
        packagesOf(loaded).has(name),
      ),
    };
  }
  await expect(`${JSON.stringify(seen, null, 2)}\n`).toMatchFileSnapshot(fileURLToPath(SNAPSHOT));
});

const MEMORY_HARNESS = join(root, "tools/repository/consumers/memory-harness.mjs");
const BACKENDS = ["disk", "hub", "postgres", "redis", "s3", "shell", "state", "store"];
/** Bytes. The shell is two backends: it extends the disk. */
const INSTALLED_AT_MOST: Readonly<Record<string, number>> = { shell: 560_000 };
test.each(BACKENDS)("@fs/%s and all that it needs of ours is small", async (name) => {
  const closure = workspaceClosure(find(`@fs/${name}`), all);
  // Pages to read are no part of what a program needs.
  const sizes = await Promise.all(
    closure.map((pkg) => unpackedBytes(tarballOf(pkg.name), (file) => !file.endsWith(".md"))),
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(
    INSTALLED_AT_MOST[name] ?? 500_000,
  );
});

test("@fs/agent brings no backend but state", () => {
  const names = workspaceClosure(find("@fs/agent"), all).map(({ name }) => name);
  expect(BACKENDS.filter((name) => names.includes(`@fs/${name}`))).toEqual(["state"]);
});

test.for(unfinished)("$name is still being written", (pkg, { skip }) => {
  const missing = missingParts(pkg);
  skip(!isAnnounced(pkg), `no ${missing.join(", no ")}, and no changeset that names it`);
  expect(missing).toEqual([]);
});

describe.each(checked)("$name", (pkg) => {
  test("holds its readme, its licence and its entries, and neither sources nor tests", async () => {
    const files = await tarballFiles(tarballOf(pkg.name));
    const wanted = ["LICENSE", "README.md", "lib/index.d.ts", "lib/index.js", "package.json"];
    expect(files).toEqual(expect.arrayContaining(wanted));
    const unwanted = /(?:^|\/)(?:dist|src|tests?|node_modules)\/|\.test\.|tsbuildinfo|\.map$/;
    expect(files.filter((file) => unwanted.test(file))).toEqual([]);
  });

  test("has no link in its documents that leaves the tarball", async () => {
    const files = await tarballFiles(tarballOf(pkg.name));
    const home = join(projectOf(pkg), "node_modules", pkg.name);
    for (const file of files.filter((name) => /^docs\/.*\.md$/.test(name))) {
      const targets = linkTargets(await readFile(join(home, file), "utf8"));
      const leaving = targets
        .map((target) => target.split("#")[0] ?? "")
        .filter((path) => path !== "" && !/^[a-z]+:/.test(path))
        .filter((path) => !files.includes(posix.join(posix.dirname(file), path)));
      expect([file, leaving]).toEqual([file, []]);
      expect([file, targets.filter((target) => !isInRepository(target))]).toEqual([file, []]);
    }
  });

  test("passes publint, and its types resolve in Node and in bundlers", async () => {
    expect(await publintProblems(tarballOf(pkg.name))).toEqual([]);
    expect(await typeProblems(tarballOf(pkg.name))).toEqual([]);
  });

  test("works with what its manifest asks for, which is nothing foreign", async () => {
    const names = closureOf(pkg).map(
      (entry) => all.find((other) => other.folder === entry)?.name ?? entry.replace(/@\d.*$/, ""),
    );
    expect(foreignPackages(pkg, names, all)).toEqual([]);
    await tryConsumer(pkg, projectOf(pkg));
  });
});

// One with an optional dependency that has a binary; all of them, in every Node, compiler and package manager: try-release.mjs.
test("@fs/disk works alone, installed by npm", async () => {
  const project = join(folder, "npm-disk");
  const pkg = find("@fs/disk");
  const installed = await installAlone(pkg, { all, tarballs, project });
  expect(installed).toContain(pkg.name);
  expect(foreignPackages(pkg, installed, all)).toEqual([]);
  await tryConsumer(pkg, project);
});

describe("what a user runs is the bundle", () => {
  test("the quick tier of the packed suite finds no fault in the packed MemoryBackend", async () => {
    const project = projectOf(find("@fs/conformance"));
    await copyFile(MEMORY_HARNESS, join(project, "memory-harness.mjs"));
    const suite = "node_modules/@fs/conformance/lib/cli/main.js";
    const printed = await output(
      process.execPath,
      [suite, "memory-harness.mjs", "--tier", "quick"],
      { cwd: project },
    );
    expect(printed).toContain("Earned: Core, Safe.");
  });

  test("a search of the packed disk has its thread", async () => {
    const files = await tarballFiles(tarballOf("@fs/disk"));
    expect(files).toContain("lib/search/search-worker.js");
  });
});

describe("nothing is loaded before it is used", () => {
  const BARE = ["@fs/cli", "@fs/config", "@fs/protocol", "commander"];
  test.each([
    ["/", BARE],
    ["/workspace", [...BARE, "@fs/disk"]],
  ])("fs-agent ls %s loads no framework and no backend but those it lists", async (path, names) => {
    const program = "node_modules/@fs/cli/lib/main.js";
    const loaded = await loadedFiles(projectOf(find("@fs/cli")), [program, "ls", path]);
    expect([...packagesOf(loaded)].toSorted()).toEqual(names.toSorted());
    expect(loaded.filter((file) => file.startsWith("@fs/")).length).toBeLessThanOrEqual(20);
  });

  test.each(["@fs/disk", "@fs/shell"])(
    "an import of %s loads none of Node's modules that only a change, a search or a command needs",
    async (name) => {
      const project = projectOf(find(name));
      // In a file, since Node loads some of them by itself for a program given as text.
      const program = join(project, "modules.mjs");
      await writeFile(program, `import "${name}"; console.log(...process.moduleLoadList);`);
      const loaded = await output(process.execPath, [program], { cwd: project });
      expect(loaded).toContain("NativeModule path ");
      expect(loaded).not.toMatch(/NativeModule (?:child_process|crypto|worker_threads)\b/);
    },
  );

  test("@fs/middleware loads nothing that its peers do not load, but ours", async () => {
    const pkg = find("@fs/middleware");
    const peers = Object.keys(pkg.manifest.peerDependencies ?? {}).filter(
      (name) => !name.startsWith("@fs/"),
    );
    const imports = peers.map((name) =>
      name === "@langchain/core" ? "@langchain/core/tools" : name,
    );
    const source = imports.map((name) => `import "${name}";`).join("");
    const project = projectOf(pkg);
    const theirs = new Set(await loadedFiles(project, ["--input-type=module", "-e", source]));
    const loaded = await loadedFiles(project, importing(pkg.name));
    const more = loaded.filter((file) => !theirs.has(file));
    expect(more.filter((file) => !file.startsWith("@fs/"))).toEqual([]);
    expect(more.length).toBeLessThanOrEqual(10);
  });
});

describe("foreignPackages bites", () => {
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
