import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeBlocks } from "@fs/readme-examples";
import { afterAll, beforeAll, expect, test } from "vitest";
import { page, type PageBackend, run, writePageBackend } from "./page-backend.js";

let backend: PageBackend;
beforeAll(async () => {
  backend = await writePageBackend();
});
afterAll(() => backend.remove());

test("the program of the page prints what the page says", async () => {
  const { stdout } = await run(process.execPath, ["use.mjs"], { cwd: backend.folder });
  const said = codeBlocks(page).find(({ info }) => info === "console")?.code;
  expect(`$ node use.mjs\n${stdout.trim()}`).toBe(said);
});

test("its backend holds where two clients race", async () => {
  // Nothing fails, and no level is earned by a part of the cases: custom-backend-levels.test.ts runs all of them.
  await expect(backend.conformance("--only", "conc/*-peers")).rejects.toMatchObject({ code: 3 });
});

test("the same without conditions loses edits, and is seen", async () => {
  const file = join(backend.folder, "backend.mjs");
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
  const ended: unknown = await backend
    .conformance("--only", "conc/*")
    .catch((error: unknown) => error);
  expect(ended).toMatchObject({ code: 1 });
  // Failures are reported as they come, beside the report.
  const { stdout, stderr } = ended as { stdout: string; stderr: string };
  expect(failed.filter((line) => !`${stdout}${stderr}`.includes(line))).toEqual([]);
});
