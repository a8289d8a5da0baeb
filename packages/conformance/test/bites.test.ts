import { spawnSync } from "node:child_process";
import { MemoryBackend, type BackendProtocolV2, type ExecuteResponse } from "@fs/protocol";
import {
  runConformance,
  type CaseOutcome,
  type DeclaredProfile,
  type Harness,
} from "@fs/conformance";
import { describe, expect, test } from "vitest";
import {
  BothAtOnce,
  DollarEdits,
  HangingSearch,
  Leaking,
  OneAtATime,
  ThrowingReads,
  UnlockedCreates,
  UnlockedEdits,
} from "./faulty-backends.js";

async function outcome(
  make: () => BackendProtocolV2,
  id: string,
  more: Partial<Harness> & { profile?: DeclaredProfile } = {},
): Promise<CaseOutcome> {
  const report = await runConformance(
    { name: "faulty", create: make, ...more },
    { only: id, seed: 7 },
  );
  const [only] = report.cases;
  if (only === undefined) throw new Error(`no case ${id}`);
  return only;
}

describe("a backend with one fault fails the cases of its rule", () => {
  test.each([
    [UnlockedEdits, "conc/edits-distinct", "A7"],
    [UnlockedEdits, "conc/counter", "A7"],
    [UnlockedEdits, "model/concurrent", "A7"],
    [UnlockedCreates, "conc/create-race", "W4"],
    [DollarEdits, "edit/literal-dollar", "E2"],
    [DollarEdits, "model/sequential", "A7"],
    [ThrowingReads, "read/missing", "A1"],
    [BothAtOnce, "ls/missing", "A2"],
    [Leaking, "read/missing", "A6"],
  ])("%o fails %s (%s)", async (faulty, id, rule) => {
    const failed = await outcome(() => new faulty(), id);
    expect(failed.status).toBe("fail");
    expect(failed.failure?.rule).toBe(rule);
    expect(failed.text).toContain(`${rule}  `);
    expect(failed.text).toContain("await backend.");
  });
});

/** Runs commands on the host, and cuts what they print at a number of bytes. */
class CutInBytes extends MemoryBackend {
  async execute(command: string): Promise<ExecuteResponse> {
    const { stdout, status } = spawnSync("sh", ["-c", command], { maxBuffer: 64 * 1024 * 1024 });
    const most = 50_000;
    return {
      output: stdout.subarray(0, most).toString(),
      exitCode: status,
      truncated: stdout.length > most,
    };
  }
}

test("output that is cut within a character fails exec/cut-between-characters", async () => {
  const profile = { execute: { sharesFiles: false } };
  const cut = await outcome(() => new CutInBytes(), "exec/cut-between-characters", { profile });
  expect(cut.status).toBe("fail");
  expect(cut.failure?.rule).toBe("X2");
});

describe("statuses", () => {
  test("a call that never answers is a timeout", async () => {
    const late = await outcome(() => new HangingSearch(), "grep/literal", { timeoutMs: 300 });
    expect(late.status).toBe("timeout");
    expect(late.text).toContain("(never answered)");
  });

  test("a harness that throws is an error, not a failure of the backend", async () => {
    const broken = await outcome(() => {
      throw new Error("no container");
    }, "grep/literal");
    expect(broken.status).toBe("error");
    expect(broken.reason).toContain("no container");
  });

  test("what the profile rules out does not apply, with the reason", async () => {
    const skipped = await outcome(() => new MemoryBackend(), "exec/output");
    expect([skipped.status, skipped.reason]).toEqual([
      "not-applicable",
      "the profile has execute: false",
    ]);
  });

  test("an expected failure is xfail while it fails and xpass when it does not", async () => {
    const expectedFailures = { "edit/literal-dollar": { reason: "known", issue: "#1" } };
    const failing = await outcome(() => new DollarEdits(), "edit/literal-dollar", {
      expectedFailures,
    });
    expect([failing.status, failing.reason]).toEqual(["xfail", "known (#1)"]);
    const passing = await outcome(() => new MemoryBackend(), "edit/literal-dollar", {
      expectedFailures,
    });
    expect(passing.status).toBe("xpass");
  });

  test("a method that is claimed and absent fails; one that is there and not claimed is a warning", async () => {
    const without = (): BackendProtocolV2 => {
      const backend = new MemoryBackend();
      return Object.assign(backend, { move: undefined });
    };
    expect((await outcome(without, "capability/move")).status).toBe("fail");
    const modest = await outcome(() => new MemoryBackend(), "capability/move", {
      profile: { move: false },
    });
    expect([modest.status, modest.warnings.length]).toEqual(["pass", 1]);
  });
});

test("where even a careless client loses nothing, a race is inconclusive", async () => {
  const untold = await outcome(() => new OneAtATime(), "conc/edits-distinct");
  expect(untold.status).toBe("inconclusive");
  expect(untold.reason).toContain("calls do not overlap here");
});

// A whole run takes seconds, and a multiple of them beside other tests.

describe("levels", () => {
  const create = (): MemoryBackend => new MemoryBackend();

  test("a whole run with a declared profile earns them", async () => {
    const { levels, ok, partial } = await runConformance({ name: "memory", create }, { seed: 3 });
    expect({ levels, ok, partial }).toEqual({
      levels: { core: "earned", safe: "one-client", durable: "not-claimed", exec: "not-claimed" },
      ok: true,
      partial: false,
    });
  });

  test("a filtered run earns none", async () => {
    const { levels, partial } = await runConformance(
      { name: "memory", create },
      { only: "edit/*" },
    );
    expect([levels.core, partial]).toEqual(["partial", true]);
  });

  test("one failure withholds its level and those above", async () => {
    const { levels, ok } = await runConformance(
      { name: "dollar", create: () => new DollarEdits(), profile: { durable: true } },
      { seed: 3 },
    );
    expect([levels.core, levels.durable, ok]).toEqual(["withheld", "withheld", false]);
  });
});

test("the model finds the shortest sequence, and its seed finds it again", async () => {
  const first = await outcome(() => new DollarEdits(), "model/sequential");
  const second = await outcome(() => new DollarEdits(), "model/sequential");
  expect(first.failure?.message).toMatch(/seed 7; replay: "/);
  expect(second.failure?.snippet).toEqual(first.failure?.snippet);
  expect(first.failure?.snippet.length).toBeLessThanOrEqual(6);
});

test("a replay begins where the failure was", async () => {
  const { failure } = await outcome(() => new DollarEdits(), "model/sequential");
  const replay = /replay: "([^"]+)"/.exec(failure?.message ?? "")?.[1] ?? "";
  const again = await runConformance(
    { name: "faulty", create: () => new DollarEdits(), profile: {} },
    { only: "model/sequential", seed: 7, replay },
  );
  const [only] = again.cases;
  // The directory of the sequence is numbered by the sequences before it.
  const steps = (lines: readonly string[] = []): string[] =>
    lines.map((line) => line.replaceAll(/\/m\d+/g, "/m"));
  expect(steps(only?.failure?.snippet)).toEqual(steps(failure?.snippet));
});
