import { once } from "node:events";
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import { MemoryBackend } from "@fs/protocol";
import { expect, test } from "vitest";
import type { Case } from "../src/cases/case.js";
import { Session } from "../src/engine/session.js";
import { overlay } from "./mutants/mutant.js";

const LIMIT_MS = 400;

type Read = MemoryBackend["read"];

/** How a case ends on memory with another `read`. */
async function endOf(run: Case["run"], readOf: (read: Read) => Read) {
  const memory = new MemoryBackend();
  const backend = overlay(memory, { read: readOf(memory.read.bind(memory)) });
  const session = new Session({ name: "slow", timeoutMs: LIMIT_MS, create: () => backend });
  const { status, failure } = await session.run({
    id: "test/limits",
    rules: ["A1"],
    level: "core",
    needs: [],
    why: "Limits of time find what hangs.",
    run,
  });
  return { status, sentence: failure?.message.split(". ")[0] };
}

const after =
  (ms: number) =>
  (read: Read): Read =>
  async (...args) => {
    await delay(ms);
    return read(...args);
  };

test("a case of many calls may take longer than one call may", async () => {
  const run: Case["run"] = async ({ backend, check }) => {
    for (let n = 0; n < 8; n++) check.that("error" in (await backend.read("/a")), "An error.");
  };
  expect((await endOf(run, after(100))).status).toBe("pass");
});

test("so may a case of calls that are answered at once", async () => {
  const run: Case["run"] = async ({ backend, check }) => {
    const end = performance.now() + 2 * LIMIT_MS;
    while (performance.now() < end) {
      check.that("error" in (await backend.read("/a")), "An error.");
      await turn();
    }
  };
  expect((await endOf(run, (read) => read)).status).toBe("pass");
});

test("a call that does not answer is named, also while others are answered", async () => {
  const run: Case["run"] = async ({ backend, signal }) => {
    const pending = backend.read("/a");
    while (!signal.aborted) await delay(10, await backend.ls("/"));
    await pending;
  };
  const ended = await endOf(run, () => async () => new Promise(() => undefined));
  expect(ended).toEqual({ status: "timeout", sentence: "read did not answer within 400 ms" });
});

test("a case that calls without end is late after four times the limit of a call", async () => {
  const run: Case["run"] = async ({ backend, signal }) => {
    while (!signal.aborted) await backend.read("/a");
  };
  expect(await endOf(run, after(20))).toEqual({
    status: "timeout",
    sentence: "The case did not finish within 1600 ms",
  });
});

test("so is one whose calls are answered at once", async () => {
  const run: Case["run"] = async ({ backend, signal }) => {
    while (!signal.aborted) await turn(await backend.read("/a"));
  };
  expect(await endOf(run, (read) => read)).toEqual({
    status: "timeout",
    sentence: "The case did not finish within 1600 ms",
  });
});

test("a case that waits for what no call brings is late", async () => {
  const run: Case["run"] = async ({ signal }) => void (await once(signal, "abort"));
  expect(await endOf(run, after(0))).toEqual({
    status: "timeout",
    sentence: "The case waited for 400 ms without a call under way",
  });
});

test("a call that blocks the event loop is late by the clock on the wall", async () => {
  const run: Case["run"] = async ({ backend, check }) => {
    check.that("error" in (await backend.read("/a")), "An error.");
  };
  const blocking =
    (read: Read): Read =>
    async (...args) => {
      const end = performance.now() + LIMIT_MS + 100;
      while (performance.now() < end);
      return read(...args);
    };
  expect(await endOf(run, blocking)).toEqual({
    status: "timeout",
    sentence: "read did not answer within 400 ms",
  });
});
