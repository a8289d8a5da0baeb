import { MemorySaver } from "@langchain/langgraph";
import { StateBackend, filesSchema } from "@fs/state";
import { createDeepAgent } from "deepagents";
import { AIMessage, createAgent, createMiddleware, fakeModel, ToolMessage } from "langchain";
import { describe, expect, test } from "vitest";
import { call, fileTools } from "./agent-tools.js";

const TEXT = "one\ntwo\nthree\n";
const EDITED = "1\n2\n3\n";

function edits() {
  return [
    call("edit_file", { file_path: "/a.txt", old_string: "one", new_string: "1" }),
    call("edit_file", { file_path: "/a.txt", old_string: "two", new_string: "2" }),
    call("edit_file", { file_path: "/a.txt", old_string: "three", new_string: "3" }),
  ];
}

function creates() {
  return [
    call("write_file", { file_path: "/b.txt", content: "first" }),
    call("write_file", { file_path: "/b.txt", content: "second" }),
  ];
}

function script() {
  return fakeModel()
    .respondWithTools([call("write_file", { file_path: "/a.txt", content: TEXT })])
    .respondWithTools(edits())
    .respondWithTools(creates())
    .respond(new AIMessage("done"))
    .respondWithTools([call("read_file", { file_path: "/a.txt" }, "again")])
    .respond(new AIMessage("done"));
}

function answersOf(messages: readonly unknown[]): Array<Record<string, unknown>> {
  return messages
    .filter((message) => ToolMessage.isInstance(message))
    .map((message) => {
      const text =
        typeof message.content === "string" ? message.content : JSON.stringify(message.content);
      return text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : { text };
    });
}

describe.each(["v1", "v2"] as const)("createAgent with tools %s", (version) => {
  test("loses nothing of three parallel edits and lets one of two creates win", async () => {
    const files = createMiddleware({ name: "files", stateSchema: filesSchema });
    const agent = createAgent({
      model: script(),
      tools: fileTools(new StateBackend()),
      middleware: [files],
      checkpointer: new MemorySaver(),
      version,
    });
    const thread = { configurable: { thread_id: "1" } };
    const first = await agent.invoke({ messages: [{ role: "user", content: "go" }] }, thread);
    const answers = answersOf(first.messages);
    expect(answers.filter((answer) => "error" in answer).map(({ code }) => code)).toEqual([
      "already_exists",
    ]);
    expect(first.files["/a.txt"]?.content).toBe(EDITED);
    expect(["first", "second"]).toContain(first.files["/b.txt"]?.content);
    const second = await agent.invoke({ messages: [{ role: "user", content: "on" }] }, thread);
    expect(answersOf(second.messages).at(-1)).toMatchObject({ content: EDITED });
  });
});

describe("createDeepAgent of deepagents", () => {
  test("loses nothing through its own files reducer", async () => {
    const backend = new StateBackend();
    const agent = createDeepAgent({
      model: script(),
      backend,
      checkpointer: new MemorySaver(),
    });
    const thread = { configurable: { thread_id: "1" } };
    const first = await agent.invoke({ messages: [{ role: "user", content: "go" }] }, thread);
    const files = first.files as Record<string, { content: unknown }>;
    expect(files["/a.txt"]?.content).toBe(EDITED);
    expect(["first", "second"]).toContain(files["/b.txt"]?.content);
    const second = await agent.invoke({ messages: [{ role: "user", content: "on" }] }, thread);
    expect(JSON.stringify(answersOf(second.messages).at(-1))).toContain("lines 1-3 of 3");
  });
});
