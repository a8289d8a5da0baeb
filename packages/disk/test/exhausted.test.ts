import { join } from "node:path";
import { buildProjects } from "@fs/test-servers/built";
import { beforeAll, describe, expect, test } from "vitest";
import { runExhausted } from "./run-exhausted.js";
import { temporaryRoot } from "./temporary-root.js";

interface Outcome {
  name: string;
  free: number;
  code: string;
  found: number;
  done: boolean;
}

// The process that runs out of descriptors runs the compiled package.
beforeAll(() => buildProjects("packages/disk"));

describe("without free descriptors", () => {
  const READS = [
    "ls",
    "glob",
    "grep",
    "grep without ripgrep",
    "grep with a cap",
    "read",
    "readRaw",
  ];

  test("every call says so, does nothing it denies, and signals no process", async () => {
    const fixture = join(import.meta.dirname, "fixtures", "exhausted.mjs");
    const answer = await runExhausted<Outcome>(fixture, join(temporaryRoot(), "tree"), 24);
    expect(answer.bystander).toBe("alive");
    const changes = answer.outcomes.filter(
      ({ name }) => !READS.includes(name) && name !== "download",
    );
    const reads = answer.outcomes.filter(({ name }) => READS.includes(name));
    expect(new Set(answer.outcomes.map(({ code }) => code))).toEqual(
      new Set(["ok", "unavailable"]),
    );
    // Done if and only if acknowledged; an answer that is no failure has found the one file.
    expect(changes.filter(({ code, done }) => (code === "ok") !== done)).toEqual([]);
    expect(reads.filter(({ code, found }) => (code === "ok") !== (found === 1))).toEqual([]);
    // With none at all everything is refused, and with 24 everything is done.
    for (const { free, code, name } of answer.outcomes) {
      if (free === 0) expect([name, code]).toEqual([name, "unavailable"]);
      // A thread loads its modules side by side, and takes more.
      if (free === 24 && name !== "grep without ripgrep")
        expect([name, code]).toEqual([name, "ok"]);
    }
  });
});
