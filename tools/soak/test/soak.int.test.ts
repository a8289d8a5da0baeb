import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { buildProjects } from "@fs/test-servers/built";
import { describeWithServer } from "@fs/test-servers/vitest";
import { beforeAll, describe, expect, test } from "vitest";
import { noFindings, type FindingKind } from "../src/findings.js";
import type { SoakOptions, SoakReport } from "../src/soak.js";

let soak: (options: SoakOptions) => Promise<SoakReport>;

// The workers are processes without a loader: everything runs as it was compiled.
beforeAll(async () => {
  buildProjects("tools/soak");
  const compiled = pathToFileURL(join(import.meta.dirname, "..", "dist", "soak.js"));
  ({ soak } = (await import(compiled.href)) as {
    soak: typeof soak;
  });
});

describeWithServer("redis", "a soak of a few seconds", () => {
  test("loses and doubles nothing on disk and Redis, whatever fails", async () => {
    const { tallies, faults, findings } = await soak({
      storages: ["disk", "redis"],
      processes: 3,
      ms: 3000,
      episodes: 100,
      faultEveryMs: 400,
      pauseMs: 30,
    });
    expect(findings).toEqual(noFindings());
    expect([...tallies.keys()].toSorted()).toEqual(["disk", "redis"]);
    // How many calls come through between faults depends on the machine.
    for (const { done } of tallies.values()) expect(done).toBeGreaterThan(0);
    expect(faults.size).toBeGreaterThan(0);
  });
});

/** A backend that is wrong in one way is found, and by what it does wrong. */
describe.concurrent("the oracle finds a backend that", () => {
  const wrong: readonly (readonly [kind: string, finding: FindingKind])[] = [
    ["loses", "lost"],
    ["doubles", "doubled"],
    ["overwrites", "doubled"],
    ["half-moves", "doubled"],
    ["denies", "untrue"],
    ["hides", "untrue"],
    ["empties", "untrue"],
    ["mixes", "untrue"],
    ["rejects", "uncaught"],
    ["dies", "uncaught"],
    ["hangs", "late"],
  ];
  for (const [kind, finding] of wrong)
    test(kind, async ({ expect: expectHere }) => {
      const fixture = pathToFileURL(join(import.meta.dirname, "fixtures", "wrong-backends.mjs"));
      const { findings } = await soak({
        storages: ["disk"],
        processes: 1,
        streams: 4,
        ms: 0,
        episodes: 60,
        faultEveryMs: Infinity,
        pauseMs: 5,
        endMs: 500,
        wrapper: `${fixture.href}?kind=${kind}`,
      });
      expectHere(findings[finding]).not.toEqual([]);
    });
});
