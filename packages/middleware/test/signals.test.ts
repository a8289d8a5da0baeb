import { createFilesystemMiddleware } from "@fs/middleware";
import { MemoryBackend } from "@fs/protocol";
import { StagingBackend } from "@fs/staging";
import { HumanMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { afterEach, expect, it, vi } from "vitest";
import { ScriptedModel } from "./support/scripted-model.js";

afterEach(() => {
  vi.restoreAllMocks();
});

it("the run's signal reaches the tools of staging and what an approval carries out", async () => {
  const { prototype } = StagingBackend;
  const changes = vi.spyOn(prototype, "changes");
  const diff = vi.spyOn(prototype, "diff");
  const commit = vi.spyOn(prototype, "commit");
  const discard = vi.spyOn(prototype, "discard");
  const agent = createAgent({
    model: new ScriptedModel([
      () => ["/a", "/b"].map((path) => ({ name: "write_file", args: { file_path: path } })),
      () => [
        { name: "changes", args: { pattern: "/a" } },
        { name: "diff", args: { pattern: "/a" } },
      ],
      () => "ready",
    ]),
    checkpointer: new MemorySaver(),
    middleware: [
      createFilesystemMiddleware({ backend: new MemoryBackend(), staging: { approve: true } }),
    ],
  });
  const { signal } = new AbortController();
  const config = { configurable: { thread_id: "t" }, signal };
  const withSignal = { signal: expect.any(AbortSignal) };
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  expect(changes).toHaveBeenCalledWith("/a", withSignal);
  expect(diff).toHaveBeenCalledWith("/a", withSignal);
  const decisions = [{ type: "approve", only: "/a" }, { type: "reject" }];
  await agent.invoke(new Command({ resume: { decisions } }), config);
  expect(commit).toHaveBeenCalledWith({ ...withSignal, only: "/a" });
  expect(discard).toHaveBeenCalledWith(undefined, withSignal);
});
