import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { type Filesystem, MemoryBackend } from "@fs/protocol";
import { filesSchema, StateBackend } from "@fs/state";
import { MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { afterAll, expect, test } from "vitest";
import { runCampaign } from "../src/campaign.js";
import { ROUNDS } from "./rounds.js";

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

const memory = async (): Promise<Filesystem> => new MemoryBackend();
const disk = async (): Promise<Filesystem> => {
  const rootDir = await mkdtemp(join(tmpdir(), "fs-races-"));
  folders.push(rootDir);
  return new FilesystemBackend({ rootDir });
};

test.each([
  { from: "memory", openSource: memory, to: "memory", openTarget: memory },
  { from: "memory", openSource: memory, to: "disk", openTarget: disk },
  { from: "disk", openSource: disk, to: "memory", openTarget: memory },
  { from: "disk", openSource: disk, to: "disk", openTarget: disk },
])("from $from to $to", async ({ openSource, openTarget }) => {
  const problems = await runCampaign({
    rounds: ROUNDS,
    seed: 1,
    latencyMs: 2,
    open: async () => ({ source: await openSource(), target: await openTarget() }),
  });
  expect(problems).toEqual([]);
});

test.each(["source", "target"] as const)("the %s in the state of a graph", async (end) => {
  const problems: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const graph = new StateGraph(filesSchema)
      .addNode("race", async () => {
        const state = new StateBackend();
        const other = new MemoryBackend();
        const ends =
          end === "source" ? { source: state, target: other } : { source: other, target: state };
        problems.push(
          ...(await runCampaign({
            rounds: 1,
            seed: round,
            latencyMs: 1,
            open: async () => ends,
          })),
        );
        return {};
      })
      .addEdge(START, "race")
      .compile({ checkpointer: new MemorySaver() });
    await graph.invoke({}, { configurable: { thread_id: `${round}` } });
  }
  expect(problems).toEqual([]);
});
