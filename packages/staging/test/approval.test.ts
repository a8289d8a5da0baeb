import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildProjects } from "@fs/test-servers/built";
import { afterAll, beforeAll, expect, test } from "vitest";

let root: string;
beforeAll(() => {
  buildProjects("packages/staging", "packages/disk", "packages/journal");
  root = mkdtempSync(join(tmpdir(), "approval-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const run = (script: string): string =>
  execFileSync(process.execPath, [join(import.meta.dirname, "approval", script), root], {
    encoding: "utf8",
  });

test("an agent proposes, a colleague edits, a person approves a part in another process, and takes it back", () => {
  const project = (path: string): string => join(root, "project", path);
  for (const directory of ["docs", "src"]) mkdirSync(project(directory), { recursive: true });
  writeFileSync(project("docs/guide.md"), "# Guide\nRun npm i first.\n");
  writeFileSync(project("src/greet.ts"), 'export const greeting = "Hello";\n');

  const proposed = run("propose.mjs");
  expect(readFileSync(project("docs/guide.md"), "utf8")).toContain("npm i ");
  writeFileSync(project("src/greet.ts"), 'export const greeting = "Good day";\n');
  const approved = run("approve.mjs");

  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  expect(readme).toContain(`\`\`\`diff\n${proposed}\`\`\``);
  expect(readme).toContain(`\`\`\`text\n${approved}\`\`\``);
  expect(readFileSync(project("docs/guide.md"), "utf8")).toBe("# Guide\nRun npm i first.\n");
  expect(readFileSync(project("src/greet.ts"), "utf8")).toContain("Good day");
});
