import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { buildProjects } from "@fs/test-servers/built";
import { describeWithServer } from "@fs/test-servers/vitest";
import { runExhausted } from "../../disk/test/run-exhausted.js";

interface Outcome {
  name: string;
  free: number;
  code: string;
  again: string;
}

// The process that runs out of descriptors runs the compiled package.
beforeAll(() => buildProjects("packages/shell"));

describeWithServer("bubblewrap", "without free descriptors", () => {
  test("a command is refused, the next one runs, and no process is signalled", async () => {
    const root = mkdtempSync(join(tmpdir(), "fs-shell-exhausted-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    const fixture = join(import.meta.dirname, "fixtures", "exhausted.mjs");
    const answer = await runExhausted<Outcome>(fixture, root, 16);
    expect(answer.bystander).toBe("alive");
    expect(new Set(answer.outcomes.map(({ code }) => code))).toEqual(
      new Set(["done\n", "unavailable"]),
    );
    expect(new Set(answer.outcomes.map(({ again }) => again))).toEqual(new Set(["again\n"]));
    expect(
      answer.outcomes.filter(({ free, code }) => free === 0 && code !== "unavailable"),
    ).toEqual([]);
  });
});
