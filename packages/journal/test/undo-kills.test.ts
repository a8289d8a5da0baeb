import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildProjects } from "@fs/test-servers/built";
import { afterAll, beforeAll, expect, test } from "vitest";
import { planOf, undoTrials } from "./kills/undo-trial.mjs";

let folder: string;
beforeAll(() => {
  buildProjects("packages/journal", "packages/disk");
  folder = mkdtempSync(join(tmpdir(), "undo-kills-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The steps of a turn and its undo; `bench/undo-kills.mjs` counts them, and kills at each. */
const STEPS = 46;

/** A kill within the turn, within the undo, and within a second undo; alone and beside another editor. */
test("a turn and its undo end well, and their records say what was done, wherever they are killed", async () => {
  const trials = [4, 9, 18, 27, 34, 35, 41].map((n) => {
    const root = join(folder, String(n));
    return { root, folder: root, ...planOf(n, STEPS) };
  });
  const outcomes = await undoTrials({ kind: "disk" }, trials);
  expect(outcomes.map(({ wrong }) => wrong)).toEqual(trials.map(() => []));
  expect(outcomes.every(({ kills }) => kills > 0)).toBe(true);
  expect(outcomes.some(({ kills }) => kills === 2)).toBe(true);
});

test("an undo without conditions is found by the same trial", async () => {
  const root = join(folder, "blind");
  const trial = { root, folder: root, foreign: ["/a"], foreignAt: 30, blind: true };
  const [outcome] = await undoTrials({ kind: "disk" }, [trial]);
  expect(outcome?.wrong.join("; ")).toContain('/a is "turn 1\\n"');
});
