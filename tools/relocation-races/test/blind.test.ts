import { MemoryBackend } from "@fs/protocol";
import { expect, test } from "vitest";
import { runCampaign } from "../src/campaign.js";
import { BlindComposite } from "./blind-composite.js";

test("the races find what an engine without conditions loses", async () => {
  const problems = await runCampaign({
    rounds: 48,
    seed: 1,
    latencyMs: 2,
    open: async () => ({ source: new MemoryBackend(), target: new MemoryBackend() }),
    router: BlindComposite,
  });
  expect(problems.filter((problem) => problem.includes("lost: ")).length).toBeGreaterThan(5);
});
