import { MemoryBackend } from "@fs/protocol";
import { runConformance } from "@fs/conformance";
import { expect, test } from "vitest";
import { Session } from "../src/engine/session.js";
import { overlay } from "./mutants/mutant.js";

test.each([
  ["quick", undefined, 20_000],
  ["full", undefined, 100_000],
  ["quick", 300, 300],
  ["full", 300, 1500],
] as const)(
  "a call in a case of the %s tier, with a limit of %s, may take %s ms",
  (tier, given, limit) => {
    const harness = {
      name: "memory",
      create: () => new MemoryBackend(),
      ...(given === undefined ? {} : { timeoutMs: given }),
    };
    expect(new Session(harness, { tier }).timeoutMs).toBe(limit);
  },
);

/** Statuses of cases, and how many instances were made for them, on a backend whose `write` may wait. */
async function runOn(write: (alive: number) => Promise<void>) {
  const count = { alive: 0, made: 0 };
  const create = () => {
    const backend = new MemoryBackend();
    const waiting = overlay(backend, {
      write: async (...args: Parameters<MemoryBackend["write"]>) => {
        await write(count.alive);
        return backend.write(...args);
      },
    });
    count.alive++;
    count.made++;
    return { backend: waiting, dispose: () => void count.alive-- };
  };
  const harness = { name: "waits", timeoutMs: 200, create };
  const { cases } = await runConformance(harness, {
    only: ["write/creates", "write/empty", "write/verbatim", "write/astral"],
  });
  return { statuses: cases.map(({ status }) => status), made: count.made };
}

test("a case that is late beside others is judged by its run alone", async () => {
  const { statuses, made } = await runOn(async (alive) =>
    alive > 1 ? new Promise((resolve) => void setTimeout(resolve, 600)) : undefined,
  );
  expect(new Set(statuses)).toEqual(new Set(["pass"]));
  expect(made).toBeGreaterThan(statuses.length);
});

test("once a case was late alone too, nobody waits for the others again", async () => {
  const { statuses, made } = await runOn(async () => new Promise(() => undefined));
  expect(new Set(statuses)).toEqual(new Set(["timeout"]));
  expect(made).toBe(statuses.length + 1);
});
