import { MemoryBackend } from "@fs/protocol";
import { expect, test } from "vitest";
import { Session } from "../src/engine/session.js";

test.each([
  ["quick", undefined, 20_000],
  ["full", undefined, 100_000],
  ["quick", 300, 300],
  ["full", 300, 1500],
] as const)("a case of the %s tier, with a limit of %s, may take %s ms", (tier, given, limit) => {
  const harness = {
    name: "memory",
    create: () => new MemoryBackend(),
    ...(given === undefined ? {} : { timeoutMs: given }),
  };
  expect(new Session(harness, { tier }).timeoutMs).toBe(limit);
});
