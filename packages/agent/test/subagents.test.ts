import { createDeepAgent } from "@fs/agent";
import { MemoryBackend } from "@fs/protocol";
import { type BaseMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, tool, toolStrategy } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { inThread, results, say, texts } from "./support/results.js";
import { read, ScriptedModel, task, write } from "./support/scripted-model.js";
import { worker } from "./support/subagents.js";

describe("H8: a subagent", () => {
  test("sees its task only and reports its last text", async () => {
    const child = new ScriptedModel(["the report"]);
    const model = new ScriptedModel([[task("worker", "count the stars")], "done"]);
    const agent = createDeepAgent({
      model,
      subagents: [worker(child, { systemPrompt: "Be exact." })],
    });
    const { messages } = await agent.invoke(say("a secret of the user"));
    const [system, ...seen] = child.received[0] ?? [];
    expect(system?.text).toMatch(/^Be exact\./);
    expect(seen.map((message) => message.text)).toEqual(["count the stars"]);
    expect(results(messages, "task").map(({ text, status }) => [text, status])).toEqual([
      ["the report", "success"],
    ]);
  });

  test("reports its structured response as JSON", async () => {
    const format = toolStrategy(z.object({ stars: z.number() }), {});
    const name = (format as unknown as Array<{ name: string }>)[0]?.name ?? "";
    const answering = new ScriptedModel([[{ name, args: { stars: 9 } }]]);
    const model = new ScriptedModel([[task("worker")], "done"]);
    const agent = createDeepAgent({
      model,
      subagents: [worker(answering, { responseFormat: format })],
    });
    const { messages } = await agent.invoke(say("go"));
    expect(results(messages, "task")[0]?.text).toBe('{"stars":9}');
  });

  test("that writes nothing says so", async () => {
    const model = new ScriptedModel([[task("worker")], "done"]);
    const agent = createDeepAgent({ model, subagents: [worker(new ScriptedModel([""]))] });
    const { messages } = await agent.invoke(say("go"));
    expect(results(messages, "task")[0]?.text).toBe("The subagent finished without a report.");
  });

  test.each([
    ["a fork", (model: ScriptedModel) => worker(model, { mode: "fork" })],
    [
      "an agent of its own that continues the conversation",
      (model: ScriptedModel) => ({
        name: "worker",
        description: "Works.",
        mode: "fork" as const,
        runnable: createAgent({ model }),
      }),
    ],
    [
      "a runnable that gives back what it was given",
      () => ({
        name: "worker",
        description: "Works.",
        mode: "fork" as const,
        runnable: RunnableLambda.from((input: object) => input),
      }),
    ],
  ])("that writes nothing reports nothing of its parent: %s", async (_what, subagent) => {
    const model = new ScriptedModel(["I deleted everything.", [task("worker", "go on")], "done"]);
    const agent = createDeepAgent({
      model,
      checkpointer: new MemorySaver(),
      subagents: [subagent(new ScriptedModel([""]))],
    });
    await agent.invoke(say("one"), inThread("1"));
    const { messages } = await agent.invoke(say("two"), inThread("1"));
    expect(results(messages, "task")[0]?.text).toBe("The subagent finished without a report.");
  });

  test("that was asked in the middle reports what it wrote after", async () => {
    const child = () =>
      new ScriptedModel((messages) =>
        messages.at(-1)?.getType() === "tool" ? "the report" : [write("/a.md", "a")],
      );
    const lead = (messages: readonly BaseMessage[]) =>
      messages.at(-1)?.text === "one"
        ? "I deleted everything."
        : messages.at(-1)?.getType() === "tool"
          ? "done"
          : [task("worker", "go on")];
    const checkpointer = new MemorySaver();
    const build = () =>
      createDeepAgent({
        model: new ScriptedModel(lead),
        checkpointer,
        subagents: [worker(child(), { mode: "fork", interruptOn: { write_file: true } })],
      });
    await build().invoke(say("one"), inThread("1"));
    await build().invoke(say("two"), inThread("1"));
    const { messages } = await build().invoke(
      new Command({ resume: { decisions: [{ type: "approve" }] } }),
      inThread("1"),
    );
    expect(results(messages, "task")[0]?.text).toBe("the report");
  });

  test("whose report is long has it saved to a file", async () => {
    const report = Array.from({ length: 20_000 }, (_, at) => `line ${at} of it`).join("\n");
    const model = new ScriptedModel([[task("worker")], "done"]);
    const agent = createDeepAgent({ model, subagents: [worker(new ScriptedModel([report]))] });
    const { messages, files } = await agent.invoke(say("go"));
    expect(results(messages, "task")[0]?.text).toMatch(/was saved to \/large_tool_results\//);
    expect(Object.values(texts(files))).toEqual([report]);
  });
});

describe("H11: what a subagent has", () => {
  const mail = tool(() => "sent", { name: "mail", description: "Mails.", schema: z.object({}) });

  test("the parent's tools unless it names its own, never task or todos", async () => {
    const [a, b, c] = [new ScriptedModel([]), new ScriptedModel([]), new ScriptedModel([])];
    const model = new ScriptedModel([[task("a"), task("b"), task("general-purpose")], "done"]);
    const agent = createDeepAgent({
      model,
      tools: [mail],
      generalPurpose: { model: c },
      subagents: [
        { name: "a", description: "A.", model: a },
        { name: "b", description: "B.", model: b, tools: [] },
      ],
    });
    await agent.invoke(say("go"));
    expect(a.toolNames).toContain("mail");
    expect(c.toolNames).toContain("mail");
    expect(b.toolNames).not.toContain("mail");
    for (const one of [a, b, c]) {
      expect(one.toolNames).toContain("read_file");
      expect(one.toolNames).not.toContain("task");
      expect(one.toolNames).not.toContain("write_todos");
    }
  });

  test("the parent's permissions unless it has rules of its own", async () => {
    const backend = new MemoryBackend();
    await backend.write("/secret/a.txt", "hidden");
    const reading = () => new ScriptedModel([[read("/secret/a.txt")], "ok"]);
    const [inherits, own] = [reading(), reading()];
    const agent = createDeepAgent({
      model: new ScriptedModel([[task("inherits"), task("own")], "done"]),
      backend,
      permissions: [{ operations: ["read"], paths: ["/secret/**"], mode: "deny" }],
      subagents: [
        { name: "inherits", description: "I.", model: inherits },
        { name: "own", description: "O.", model: own, permissions: [] },
      ],
    });
    await agent.invoke(say("go"));
    expect(inherits.received[1]?.at(-1)?.text).toMatch(/^Error/);
    expect(own.received[1]?.at(-1)?.text).toContain("hidden");
  });

  test("skills of its own; only general-purpose has the parent's", async () => {
    const backend = new MemoryBackend();
    await backend.write("/s/main/SKILL.md", "---\nname: main\ndescription: MAIN-SKILL\n---\n");
    await backend.write("/t/other/SKILL.md", "---\nname: other\ndescription: OTHER-SKILL\n---\n");
    const [general, own, none] = [
      new ScriptedModel([]),
      new ScriptedModel([]),
      new ScriptedModel([]),
    ];
    const agent = createDeepAgent({
      model: new ScriptedModel([[task("general-purpose"), task("own"), task("none")], "done"]),
      backend,
      skills: ["/s/"],
      generalPurpose: { model: general },
      subagents: [
        { name: "own", description: "O.", model: own, skills: ["/t/"] },
        { name: "none", description: "N.", model: none },
      ],
    });
    await agent.invoke(say("go"));
    expect(general.prompt).toContain("MAIN-SKILL");
    expect(own.prompt).toContain("OTHER-SKILL");
    expect(own.prompt).not.toContain("MAIN-SKILL");
    expect(none.prompt).not.toMatch(/SKILL/);
  });

  test("no general-purpose where it is switched off, and no task without any subagent", async () => {
    const model = new ScriptedModel([]);
    await createDeepAgent({ model, generalPurpose: false }).invoke(say("go"));
    expect(model.toolNames).not.toContain("task");
  });
});
