import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { codeBlocks } from "@fs/readme-examples";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../src/repository.js";

const run = promisify(execFile);
const page = join(root, "docs/start/custom-backend.md");
const cli = createRequire(import.meta.url).resolve("@fs/conformance/package.json");
let folder: string;

beforeAll(async () => {
  // Below this package, so that its imports resolve as those of a project that installed them.
  folder = await mkdtemp(join(root, "apps/docs/.build-page-"));
  for (const { code, info } of codeBlocks(page)) {
    const name = /^\/\/ (\S+\.mjs)\n/.exec(code)?.[1];
    if (info === "js" && name !== undefined) await writeFile(join(folder, name), code);
  }
});
afterAll(() => rm(folder, { recursive: true }));

const conformance = (...args: string[]) =>
  run(process.execPath, [join(cli, "../dist/cli/main.js"), "./conformance.mjs", ...args], {
    cwd: folder,
  });

test("the program of the page prints what the page says", async () => {
  const { stdout } = await run(process.execPath, ["use.mjs"], { cwd: folder });
  const said = codeBlocks(page).find(({ info }) => info === "console")?.code;
  expect(`$ node use.mjs\n${stdout.trim()}`).toBe(said);
});

test("its backend holds where two clients race", { timeout: 120_000 }, async () => {
  // Nothing fails, and no level is earned by a part of the cases.
  await expect(conformance("--only", "conc/*-peers")).rejects.toMatchObject({ code: 3 });
});

test("the same without conditions loses edits, and is seen", { timeout: 120_000 }, async () => {
  const file = join(folder, "backend.mjs");
  const good = await readFile(file, "utf8");
  const diff =
    codeBlocks(page)
      .find(({ info }) => info === "diff")
      ?.code.split("\n") ?? [];
  const lines = (mark: string): string =>
    diff
      .filter((line) => line.startsWith(mark))
      .map((line) => line.slice(1))
      .join("\n");
  const bad = good.replace(lines("-"), lines("+"));
  expect(bad).not.toBe(good);
  await writeFile(file, bad);
  const shown =
    codeBlocks(page)
      .findLast(({ info }) => info === "console")
      ?.code.split("\n") ?? [];
  const failed = shown.filter((line) => line.startsWith("FAIL "));
  expect(failed.length).toBeGreaterThan(3);
  const ended: unknown = await conformance("--only", "conc/*").catch((error: unknown) => error);
  expect(ended).toMatchObject({ code: 1 });
  // Failures are reported as they come, beside the report.
  const { stdout, stderr } = ended as { stdout: string; stderr: string };
  expect(failed.filter((line) => !`${stdout}${stderr}`.includes(line))).toEqual([]);
});
