import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { describeWithServer } from "@fs/test-servers/vitest";

const run = promisify(execFile);

interface Outcome {
  name: string;
  free: number;
  code: string;
  again: string;
}

// The process that runs out of descriptors runs the compiled package.
beforeAll(() => {
  const manifest = createRequire(import.meta.url).resolve("typescript/package.json");
  const compiler = join(dirname(manifest), "bin", "tsc");
  execFileSync(process.execPath, [compiler, "-b", join(import.meta.dirname, "..")]);
}, 120_000);

describeWithServer("bubblewrap", "without free descriptors", () => {
  test(
    "a command is refused, the next one runs, and no process is signalled",
    { timeout: 120_000 },
    async () => {
      const root = mkdtempSync(join(tmpdir(), "fs-shell-exhausted-"));
      onTestFinished(() => rmSync(root, { recursive: true, force: true }));
      const fixture = join(import.meta.dirname, "fixtures", "exhausted.mjs");
      const command = `ulimit -n 64; exec "$0" "$@"`;
      const { stdout } = await run("/bin/sh", [
        "-c",
        command,
        process.execPath,
        fixture,
        root,
        "16",
      ]);
      const answer = JSON.parse(stdout) as { outcomes: Outcome[]; bystander: string };
      expect(answer.bystander).toBe("alive");
      expect(new Set(answer.outcomes.map(({ code }) => code))).toEqual(
        new Set(["done\n", "unavailable"]),
      );
      expect(new Set(answer.outcomes.map(({ again }) => again))).toEqual(new Set(["again\n"]));
      expect(
        answer.outcomes.filter(({ free, code }) => free === 0 && code !== "unavailable"),
      ).toEqual([]);
    },
  );
});
