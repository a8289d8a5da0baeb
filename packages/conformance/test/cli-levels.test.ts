import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Report } from "@fs/conformance";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPackage, fsConformance, type Ended } from "./built-package.js";

const harnesses = join(import.meta.dirname, "cli-harnesses");
const folder = mkdtempSync(join(tmpdir(), "fs-conformance-levels-"));

beforeAll(() => buildPackage());
afterAll(() => rmSync(folder, { recursive: true }));

/** A run of all cases of the quick tier. */
const run = (harness: string, ...args: string[]): Promise<Ended> =>
  fsConformance([join(harnesses, harness), ...args], folder);
const reportOf = (name: string): Report =>
  JSON.parse(readFileSync(join(folder, name), "utf8")) as Report;

test("0: the claimed levels are earned", async () => {
  const { code, stdout, stderr } = await run("good.mjs", "--json", "reports/good.json");
  expect(stderr).toContain("Conformance of good");
  expect(stdout).toContain("Earned: Core, Safe (one client).");
  expect(code).toBe(0);
  expect(reportOf("reports/good.json")).toMatchObject({
    schema: 1,
    ok: true,
    levels: { core: "earned", safe: "one-client", durable: "not-claimed" },
  });
});

test("3: a function is tried, and earns nothing", async () => {
  const { code, stdout } = await run("bare-function.mjs");
  expect(code).toBe(3);
  expect(stdout).toContain("bare-function: ");
  expect(stdout).toContain("The profile was found out by trying");
});
