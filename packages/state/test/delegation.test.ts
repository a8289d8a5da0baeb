import { Command, MemorySaver, START, StateGraph, StateSchema } from "@langchain/langgraph";
import { filesChanged, filesSchema, filesValue, StateBackend, type FilesRecord } from "@fs/state";
import { createDeepAgent } from "deepagents";
import {
  AIMessage,
  createAgent,
  createMiddleware,
  fakeModel,
  humanInTheLoopMiddleware,
  tool,
  type AgentMiddleware,
  type StructuredTool,
} from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod/v4";
import { call, fileTools } from "./agent-tools.js";

const thread = { configurable: { thread_id: "1" } };
const go = { messages: [{ role: "user", content: "go" }] };

describe("subgraphs", () => {
  test("a subgraph works on its own copy, and what it did comes back", async () => {
    const files = new StateBackend();
    const schema = new StateSchema({ files: filesValue() });
    const seen: unknown[] = [];
    const inner = new StateGraph(schema)
      .addNode("first", async () => {
        seen.push(await files.edit("/a.txt", "outer", "inner"));
        return {};
      })
      .addNode("second", async () => {
        seen.push((await files.read("/a.txt")).content);
        await files.write("/b.txt", "inner");
        return {};
      })
      .addEdge(START, "first")
      .addEdge("first", "second")
      .compile();
    const graph = new StateGraph(schema)
      .addNode("before", async () => {
        await files.write("/a.txt", "outer");
        return {};
      })
      .addNode("inner", inner)
      .addNode("after", async () => {
        seen.push((await files.read("/b.txt")).content);
        await files.edit("/a.txt", "inner", "after");
        return {};
      })
      .addEdge(START, "before")
      .addEdge("before", "inner")
      .addEdge("inner", "after")
      .compile({ checkpointer: new MemorySaver() });
    await graph.invoke({}, thread);
    expect(seen).toMatchObject([{ path: "/a.txt", occurrences: 1 }, "inner", "inner"]);
    expect(contents((await graph.getState(thread)).values.files)).toEqual({
      "/a.txt": "after",
      "/b.txt": "inner",
    });
  });
});

describe("subagents", () => {
  test("share the files of their supervisor, and leave theirs behind", async () => {
    const backend = new StateBackend();
    const model = fakeModel()
      .respondWithTools([call("write_file", { file_path: "/plan.md", content: "the plan" })])
      .respondWithTools([
        call("task", { description: "work", subagent_type: "worker" }),
        call("task", { description: "work", subagent_type: "other" }),
      ])
      .respondWithTools([call("read_file", { file_path: "/result.md" })])
      .respond(new AIMessage("done"));
    const worker = fakeModel()
      .respondWithTools([
        call("edit_file", { file_path: "/plan.md", old_string: "the", new_string: "our" }),
      ])
      .respondWithTools([call("write_file", { file_path: "/result.md", content: "the result" })])
      .respond(new AIMessage("worked"));
    const other = fakeModel()
      .respondWithTools([call("write_file", { file_path: "/other.md", content: "the other" })])
      .respond(new AIMessage("worked"));
    const common = { description: "Works.", systemPrompt: "Work." };
    const agent = createDeepAgent({
      model,
      backend,
      checkpointer: new MemorySaver(),
      subagents: [
        { name: "worker", model: worker, ...common },
        { name: "other", model: other, ...common },
      ],
    });
    const { files } = await agent.invoke(go, thread);
    expect(Object.keys(files as FilesRecord).toSorted()).toEqual([
      "/other.md",
      "/plan.md",
      "/result.md",
    ]);
    expect(contents(files as FilesRecord)).toMatchObject({
      "/result.md": "the result",
      "/other.md": "the other",
    });
  });

  test("running side by side over our field, undo nothing of each other's", async () => {
    const backend = new StateBackend();
    const files: AgentMiddleware = createMiddleware({ name: "files", stateSchema: filesSchema });
    const subagent = (file: string) =>
      createAgent({
        model: fakeModel()
          .respondWithTools([
            call("edit_file", { file_path: file, old_string: "one", new_string: "two" }),
          ])
          .respond(new AIMessage("worked")),
        tools: fileTools(backend),
        middleware: [files],
      });
    const agents = { a: subagent("/a.md"), b: subagent("/b.md") };
    const task = tool(
      async (
        { name }: { name: "a" | "b" },
        runtime: { state: { files: FilesRecord }; toolCallId: string },
      ) => {
        const input = { ...go, files: runtime.state.files } as typeof go;
        const result = await agents[name].invoke(input);
        return new Command({
          update: {
            files: filesOf(result),
            messages: [{ role: "tool", content: "worked", tool_call_id: runtime.toolCallId }],
          },
        });
      },
      { name: "task", description: "Delegates.", schema: z.object({ name: z.enum(["a", "b"]) }) },
    ) as unknown as StructuredTool;
    const tools = fileTools(backend);
    tools.push(task);
    const agent = createAgent({
      model: fakeModel()
        .respondWithTools([
          call("write_file", { file_path: "/a.md", content: "one" }),
          call("write_file", { file_path: "/b.md", content: "one" }),
        ])
        .respondWithTools([call("task", { name: "a" }), call("task", { name: "b" })])
        .respond(new AIMessage("done")),
      tools,
      middleware: [files],
      checkpointer: new MemorySaver(),
    });
    const result = await agent.invoke(go, thread);
    expect(contents(filesOf(result))).toEqual({ "/a.md": "two", "/b.md": "two" });
  });
});

test("what a subagent removed goes, and what it left alone is not handed back", () => {
  const kept = { content: "kept", modified_at: "2026-01-01T00:00:00.000Z" };
  const before = { "/kept.md": kept, "/same.md": { ...kept }, "/gone.md": kept, "/new.md": kept };
  const changed = { content: "changed", modified_at: "2026-01-02T00:00:00.000Z" };
  const after = { "/kept.md": kept, "/same.md": { ...kept }, "/new.md": changed, "/more.md": kept };
  expect(filesChanged(before, after)).toEqual({
    "/new.md": changed,
    "/more.md": kept,
    "/gone.md": null,
  });
});

describe("human in the loop", () => {
  test("a call that waits for approval applies beside those of its turn that did not", async () => {
    const backend = new StateBackend();
    const build = () => {
      const model = fakeModel();
      return {
        model,
        agent: createAgent({
          model,
          tools: fileTools(backend),
          middleware: [createMiddleware({ name: "files", stateSchema: filesSchema }), approval],
          checkpointer,
        }),
      };
    };
    const checkpointer = new MemorySaver();
    // The types of this middleware do not fit under exactOptionalPropertyTypes.
    const approval: AgentMiddleware = Reflect.apply(humanInTheLoopMiddleware, undefined, [
      { interruptOn: { delete_file: true } },
    ]);
    const first = build();
    first.model
      .respondWithTools([call("write_file", { file_path: "/a.txt", content: "one" })])
      .respondWithTools([
        call("edit_file", { file_path: "/a.txt", old_string: "one", new_string: "two" }),
        call("delete_file", { file_path: "/a.txt" }),
        call("write_file", { file_path: "/b.txt", content: "b" }),
      ]);
    const paused = await first.agent.invoke(go, thread);
    expect(contents(filesOf(paused))).toEqual({ "/a.txt": "one" });
    const second = build();
    second.model.respond(new AIMessage("done"));
    const resumed = await second.agent.invoke(
      new Command({ resume: { decisions: [{ type: "approve" }] } }),
      thread,
    );
    expect(contents(filesOf(resumed))).toEqual({ "/b.txt": "b" });
  });
});

function filesOf(result: object): FilesRecord {
  return "files" in result ? (result.files as FilesRecord) : {};
}

function contents(files: FilesRecord): Record<string, unknown> {
  return Object.fromEntries(Object.entries(files).map(([path, { content }]) => [path, content]));
}
