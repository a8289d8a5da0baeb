import { CompositeBackend, MemoryBackend } from "@fs/protocol";
import { createFilesystemMiddleware, type FilesystemMiddlewareOptions } from "@fs/middleware";
import { StateBackend } from "@fs/state";
import { tool } from "@langchain/core/tools";
import { MemorySaver } from "@langchain/langgraph";
import { CompositeBackend as PeerComposite, StateBackend as PeerState } from "deepagents";
import { createAgent, HumanMessage } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Call, ScriptedModel } from "./support/scripted-model.js";

type Factory = Extract<FilesystemMiddlewareOptions["backend"], (runtime: never) => unknown>;

// The four shapes of the migration guides: one backend or a composite, ours or those of deepagents.
const factories: Readonly<Record<string, Factory>> = {
  "a StateBackend": (runtime) => new StateBackend(runtime as never),
  "a composite over it": (runtime) =>
    new CompositeBackend(new StateBackend(runtime as never), { "/memories/": new MemoryBackend() }),
  "deepagents' StateBackend": (runtime) => new PeerState(runtime as never),
  "deepagents' composite over it": (runtime) =>
    new PeerComposite(new PeerState(runtime as never), {
      "/memories/": new PeerState(runtime as never),
    }),
};

const step = (call: Call) => (): Call[] => [call];

describe.each(Object.entries(factories))("a factory of %s", (_name, backend) => {
  it("keeps what was written, edited and deleted, in the thread's state", async () => {
    const model = new ScriptedModel([
      step({ name: "write_file", args: { file_path: "/a.txt", content: "one\n" } }),
      step({ name: "read_file", args: { file_path: "/a.txt" } }),
      step({ name: "edit_file", args: { path: "/a.txt", old_string: "one", new_string: "two" } }),
      () => "first turn done",
      step({ name: "read_file", args: { file_path: "/a.txt" } }),
      () => "second turn done",
    ]);
    const agent = createAgent({
      model,
      middleware: [createFilesystemMiddleware({ backend })],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "1" } };
    const first = await agent.invoke({ messages: [new HumanMessage("go")] }, config);
    expect(Object.keys(first.files)).toEqual(["/a.txt"]);
    const { messages } = await agent.invoke({ messages: [new HumanMessage("on")] }, config);
    expect(messages.at(-2)?.text).toBe("1→two");
    expect(messages.filter((message) => Reflect.get(message, "status") === "error")).toEqual([]);
  });

  it("keeps a large result, so that the pointer to it leads somewhere", async () => {
    const big = tool(async () => "row\n".repeat(5000), {
      name: "big",
      description: "Answers much.",
      schema: z.object({}),
    });
    const model = new ScriptedModel([step({ name: "big", args: {} }), () => "done"]);
    const agent = createAgent({
      model,
      tools: [big],
      middleware: [createFilesystemMiddleware({ backend, toolTokenLimitBeforeEvict: 1000 })],
    });
    const { messages, files } = await agent.invoke({ messages: [new HumanMessage("go")] });
    const [saved] = Object.keys(files);
    expect(saved).toMatch(/^\/large_tool_results\/big-/);
    expect(messages.at(-2)?.text).toContain(saved);
  });
});

describe("a factory of a StateBackend", () => {
  it("removes a deleted file from the state, and moves one", async () => {
    const model = new ScriptedModel([
      step({ name: "write_file", args: { file_path: "/a.txt", content: "one\n" } }),
      step({ name: "write_file", args: { file_path: "/b.txt", content: "two\n" } }),
      step({ name: "delete", args: { file_path: "/a.txt" } }),
      step({ name: "move_file", args: { source: "/b.txt", destination: "/c.txt" } }),
      () => "done",
    ]);
    const backend: Factory = (runtime) => new StateBackend(runtime as never);
    const agent = createAgent({ model, middleware: [createFilesystemMiddleware({ backend })] });
    const { files } = await agent.invoke({ messages: [new HumanMessage("go")] });
    expect(Object.keys(files)).toEqual(["/c.txt"]);
  });

  it("keeps a long human message that was saved to a file", async () => {
    const backend: Factory = (runtime) => new StateBackend(runtime as never);
    const model = new ScriptedModel([() => "done"]);
    const agent = createAgent({
      model,
      middleware: [createFilesystemMiddleware({ backend, humanMessageTokenLimitBeforeEvict: 100 })],
    });
    const long = new HumanMessage({ id: "m1", content: "words ".repeat(2000) });
    const { files } = await agent.invoke({ messages: [long] });
    expect(Object.keys(files)).toEqual([expect.stringMatching(/^\/large_tool_results\/message-/)]);
  });
});
