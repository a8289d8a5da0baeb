import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  contentProblems,
  longSources,
  nameProblem,
  scatteredStarts,
  trackedFiles,
} from "../src/tracked-files.js";
import { root } from "../src/workspace.js";

const files = trackedFiles();

describe("this repository", () => {
  test("tracks files", () => {
    expect(files).toEqual(expect.arrayContaining(["package.json", "LICENSE", ".ci/run"]));
  });

  test("every file has a telling name in kebab-case", () => {
    expect(files.map(nameProblem).filter((problem) => problem !== undefined)).toEqual([]);
  });

  test("no file names a folder of one machine or a package registry", () => {
    const problems = files.flatMap((file) =>
      contentProblems(file, readFileSync(join(root, file), "utf8")),
    );
    expect(problems).toEqual([]);
  });

  test("every source file has one job's length", () => {
    expect(longSources(files)).toEqual([]);
  });

  test("every package starts programs in one place", () => {
    expect(scatteredStarts(files)).toEqual([]);
  });
});

describe("the rules bite", () => {
  test.each([
    "packages/x/src/utils.ts",
    "packages/x/src/path-helpers/helpers.test.ts",
    "packages/common/package.json",
    "packages/x/src/camelCase.ts",
    "packages/x/src/snake_case.ts",
  ])("name: %s", (file) => {
    expect(nameProblem(file)).toContain(file);
  });

  test.each([
    "README.md",
    ".ci/run",
    ".changeset/disk-first.md",
    "packages/x/src/path-rules.int.test.ts",
    "docs/adr/0001-volumes.md",
    "packages/x/test/fixture/Any_Thing.txt",
  ])("good name: %s", (file) => {
    expect(nameProblem(file)).toBeUndefined();
  });

  const folder = (name: string): string => ["", name, "x"].join("/");
  test.each([
    `see ${folder("work")}`,
    `cd "${folder("root")}"`,
    `${folder("home")} is`,
    ["https://registry", "npmjs", "org/x"].join("."),
  ])("content: %s", (line) => {
    expect(contentProblems("a.md", `fine\n${line}\n`)).toHaveLength(1);
  });

  test.each([
    "/workspace/a",
    `docs${folder("work")}`,
    `.${folder("home")}`,
    `https://example.com${folder("root")}`,
  ])("good content: %s", (line) => {
    expect(contentProblems("a.md", line)).toEqual([]);
  });
});
