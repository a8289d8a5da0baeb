import { createDeepAgent, createFilesystemMiddleware } from "@fs/agent";
import { HumanMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { MemorySaver } from "@langchain/langgraph";
import { createDeepAgent as createPeer } from "deepagents";
import { createAgent } from "langchain";
import { describe, expect, test } from "vitest";
import { inThread, results, say, texts } from "./support/results.js";
import { edit, read, ScriptedModel, task, write } from "./support/scripted-model.js";
import { worker } from "./support/subagents.js";

describe("H12: all agents of a run work on the same files at once", () => {
  test("what one was acknowledged the next sees, and the agent after them", async () => {
    const first = new ScriptedModel([[write("/a.md", "one two")], "ok"]);
    const second = new ScriptedModel([[read("/a.md")], [edit("/a.md", "two", "three")], "ok"]);
    const agent = createDeepAgent({
      model: new ScriptedModel([[task("first")], [task("second")], [read("/a.md")], "done"]),
      subagents: [
        { name: "first", description: "F.", model: first },
        { name: "second", description: "S.", model: second },
      ],
    });
    const { messages, files } = await agent.invoke(say("go"));
    expect(results(messages, "read_file")[0]?.text).toContain("one three");
    expect(texts(files)).toEqual({ "/a.md": "one three" });
  });
});

describe("H14", () => {
  test("v3 events show the subagents of a run by name", async () => {
    const agent = createDeepAgent({
      model: new ScriptedModel([[task("worker", "a"), task("worker", "b")], "done"]),
      checkpointer: new MemorySaver(),
      subagents: [worker(new ScriptedModel(() => "report"))],
    });
    const run = await agent.streamEvents(say("go"), { version: "v3", ...inThread("1") });
    const seen: string[] = [];
    for await (const subagent of run.subagents) seen.push(subagent.name);
    expect(seen).toEqual(["worker", "worker"]);
    expect((await run.output).messages.at(-1)?.text).toBe("done");
  });
});

describe("H15: a fork", () => {
  test("continues the conversation without the pending call, and cannot delegate", async () => {
    const child = new ScriptedModel(["report"]);
    const model = new ScriptedModel([
      [{ name: "ls", args: {} }],
      [task("worker", "go on")],
      "done",
    ]);
    const agent = createDeepAgent({
      model,
      systemPrompt: "You are Ada.",
      subagents: [worker(child, { mode: "fork", systemPrompt: "Be brief." })],
    });
    await agent.invoke(say("a question"));
    const [system, ...seen] = child.received[0] ?? [];
    expect(system?.text).toMatch(/^You are Ada\.[\s\S]*Be brief\./);
    expect(seen.map((message) => message.getType())).toEqual(["human", "ai", "tool", "human"]);
    expect(seen.at(-1)?.text).toMatch(/go on$/);
    expect(child.toolNames).not.toContain("task");
  });
});

describe("H16: a compiled subagent", () => {
  test("may be any runnable", async () => {
    const runnable = RunnableLambda.from((input: { messages: HumanMessage[] }) => ({
      messages: [...input.messages, new HumanMessage("ignored")],
      structuredResponse: { echo: input.messages[0]?.text },
    }));
    const agent = createDeepAgent({
      model: new ScriptedModel([[task("echo", "hello")], "done"]),
      subagents: [{ name: "echo", description: "Echoes.", runnable }],
    });
    const { messages } = await agent.invoke(say("go"));
    expect(results(messages, "task")[0]?.text).toBe('{"echo":"hello"}');
  });

  test("with our files shares them; with deepagents' it gives back what it changed", async () => {
    const child = () => new ScriptedModel([[read("/a.md")], [edit("/a.md", "one", "two")], "ok"]);
    const ours = createAgent({ model: child(), middleware: [createFilesystemMiddleware()] });
    const theirs = createPeer({ model: child() });
    for (const runnable of [ours, theirs]) {
      const agent = createDeepAgent({
        model: new ScriptedModel([
          [write("/a.md", "one"), write("/b.md", "b")],
          [task("child")],
          [read("/a.md")],
          "done",
        ]),
        subagents: [{ name: "child", description: "Edits.", runnable: runnable as typeof ours }],
      });
      const { messages, files } = await agent.invoke(say("go"));
      expect(results(messages, "read_file").at(-1)?.text).toContain("two");
      expect(texts(files)).toEqual({ "/a.md": "two", "/b.md": "b" });
    }
  });
});
