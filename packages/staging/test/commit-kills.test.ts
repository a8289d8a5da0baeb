import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildPackages } from "./built-packages.js";
import { commitTrial, planOf } from "./kills/commit-trial.mjs";

let folder: string;
beforeAll(() => {
  buildPackages("staging", "disk", "postgres");
  folder = mkdtempSync(join(tmpdir(), "commit-kills-"));
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A kill at the beginning, in the middle and near the end; once and twice; alone and beside somebody else. */
const TRIALS = [3, 14, 27, 34, 46, 55];

test.each(TRIALS)(
  "a commit on disk, killed as trial %i plans it, ends well",
  async (n) => {
    const where = { kind: "disk" as const, root: join(folder, String(n)) };
    expect((await commitTrial(where, planOf(n))).wrong).toEqual([]);
  },
  120_000,
);
