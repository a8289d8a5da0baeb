import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildProjects } from "@fs/test-servers/built";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commitTrials, planOf } from "./kills/commit-trial.mjs";

let folder: string;
beforeAll(() => {
  buildProjects("packages/staging", "packages/disk");
  folder = mkdtempSync(join(tmpdir(), "commit-kills-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The steps of the commit that is tried; `bench/commit-kills.mjs` counts them, and kills at each. */
const STEPS = 148;

/** A kill at the beginning, in the middle and near the end; once and twice; alone and beside another editor. */
test("commits on disk end well, wherever they are killed", async () => {
  const trials = [3, 14, 25, 44, 80, 140].map((n) => ({
    root: join(folder, String(n)),
    ...planOf(n, STEPS),
  }));
  const outcomes = await commitTrials({ kind: "disk" }, trials);
  expect(outcomes.map(({ wrong }) => wrong)).toEqual(trials.map(() => []));
  expect(outcomes.every(({ kills }) => kills > 0)).toBe(true);
  expect(outcomes.some(({ kills }) => kills === 2)).toBe(true);
});

test("a commit without conditions is found by the same trial, killed or not", async () => {
  const trials = [undefined, 60].map((killAt, n) => {
    const root = join(folder, `blind ${n}`);
    return { root, killAt, foreign: ["/a", "/new"], foreignAt: 1, blind: true };
  });
  const outcomes = await commitTrials({ kind: "disk" }, trials);
  expect(outcomes.map(({ kills }) => kills)).toEqual([0, 1]);
  for (const { wrong } of outcomes) expect(wrong.join("; ")).toContain('/a is "A\\n"');
});
