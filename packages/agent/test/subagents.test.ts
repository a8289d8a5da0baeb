import { createDeepAgent, createFilesystemMiddleware, type ErrorPlace } from "@fs/agent";
import { MemoryBackend } from "@fs/protocol";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { type Runnable, RunnableLambda } from "@langchain/core/runnables";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createDeepAgent as createPeer } from "deepagents";
import { createAgent, tool, toolStrategy } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { inThread, results, say, texts } from "./support/results.js";
import { edit, read, ScriptedModel, task, write } from "./support/scripted-model.js";

const worker = (model: ScriptedModel, more: object = {}) => ({
  name: "worker",
  description: "Works.",
  model,
  ...more,
});
const names = (model: ScriptedModel) =>
  (model.bound[0] ?? []).map((offered) => String(Reflect.get(offered, "name")));

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

describe("H10: what goes wrong in a subagent is an answer", () => {
  test.each([
    ["an unknown type", [task("nobody")], /no subagent 'nobody'.*general-purpose, worker/],
    ["a name of Object's own", [task("constructor")], /no subagent 'constructor'/],
    ["a failing model", [task("worker")], /'worker' did not finish.*TypeError/],
    [
      "missing arguments",
      [{ name: "task", args: {} }],
      /description[\s\S]*subagent_type \(string\)/,
    ],
    [
      "foreign arguments",
      [{ name: "task", args: { prompt: "work", agent: "worker" } }],
      /description[\s\S]*subagent_type \(string\)/,
    ],
  ])("%s", async (_what, calls, message) => {
    const errors: unknown[] = [];
    const failing = new ScriptedModel(() => new TypeError("secret at /srv/app/key"));
    const sibling = new ScriptedModel([[write("/kept.md", "kept")], "kept"]);
    const model = new ScriptedModel([[...calls, task("sibling")], "done"]);
    const agent = createDeepAgent({
      model,
      onError: (error, place) => errors.push([place, error]),
      subagents: [worker(failing), { name: "sibling", description: "Writes.", model: sibling }],
    });
    const { messages, files } = await agent.invoke(say("go"));
    const [failed, kept] = results(messages, "task");
    expect(failed?.status).toBe("error");
    expect(failed?.text).toMatch(message);
    expect(failed?.text).not.toMatch(/secret|srv|\n +at /);
    expect([kept?.text, kept?.status]).toEqual(["kept", "success"]);
    expect(texts(files)).toEqual({ "/kept.md": "kept" });
  });

  test("the limit of steps", async () => {
    const looping = new ScriptedModel(() => [{ name: "ls", args: {} }]);
    const places: ErrorPlace[] = [];
    const agent = createDeepAgent({
      model: new ScriptedModel([[task("worker")], "done"]),
      onError: (_error, place) => places.push(place),
      subagents: [worker(looping)],
    });
    const { messages } = await agent.invoke(say("go"), { recursionLimit: 20 });
    expect(results(messages, "task")[0]?.text).toMatch(/limit of steps/);
    expect(places).toEqual([{ where: "subagent worker" }]);
  });

  test("but an aborted run ends", async () => {
    const abort = new AbortController();
    const child = new ScriptedModel(() => {
      abort.abort(new Error("stopped by the user"));
      return "late";
    });
    const model = new ScriptedModel([[task("worker")], "done"]);
    const agent = createDeepAgent({ model, subagents: [worker(child)] });
    await expect(agent.invoke(say("go"), { signal: abort.signal })).rejects.toThrow(
      /abort|stopped/i,
    );
    expect(model.received).toHaveLength(1);
  });
});

describe("H10: what a failed subagent wrote to files", () => {
  const failing = () => new ScriptedModel([[write("/work.md", "work")], new Error("down")]);
  test.each([
    ["is there", () => worker(failing()), { "/work.md": "work" }],
    [
      "is lost with its copy of them",
      () => ({
        name: "worker",
        description: "Works.",
        runnable: createPeer({ model: failing() }) as unknown as Runnable,
      }),
      {},
    ],
  ])("%s, and so it says", async (fate, subagent, left) => {
    const model = new ScriptedModel([[task("worker")], "done"]);
    const agent = createDeepAgent({ model, subagents: [subagent()] });
    const { messages, files } = await agent.invoke(say("go"));
    const [failed] = results(messages, "task");
    expect(failed?.status).toBe("error");
    expect(failed?.text.includes("is lost")).toBe(fate.startsWith("is lost"));
    expect(failed?.text.includes("is there")).toBe(fate === "is there");
    expect(texts(files)).toEqual(left);
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
    expect(names(a)).toContain("mail");
    expect(names(c)).toContain("mail");
    expect(names(b)).not.toContain("mail");
    for (const one of [a, b, c]) {
      expect(names(one)).toContain("read_file");
      expect(names(one)).not.toContain("task");
      expect(names(one)).not.toContain("write_todos");
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
    expect(names(model)).not.toContain("task");
  });
});

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
    expect(names(child)).not.toContain("task");
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
