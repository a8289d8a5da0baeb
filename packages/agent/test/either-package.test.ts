import { CompositeBackend, MemoryBackend } from "@fs/protocol";
import { StateBackend } from "@fs/state";
import { StoreBackend } from "@fs/store";
import { Command, InMemoryStore, MemorySaver } from "@langchain/langgraph";
import * as theirs from "deepagents";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  type HITLResponse,
  todoListMiddleware,
  tool,
  toolStrategy,
} from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { packages, scripted } from "./support/both-packages.js";
import { inThread, questions, results, say } from "./support/results.js";
import { type Call, edit, read, ScriptedModel, task, write } from "./support/scripted-model.js";

// Programs for deepagents, which run with either package by switching the import.
const fileOf = (content: string) => ({ content, mimeType: "text/plain", ...times });
const times = { created_at: "2026-01-01T00:00:00Z", modified_at: "2026-01-01T00:00:00Z" };
const textOf = (files: unknown, path: string): unknown =>
  (files as Record<string, { content: unknown }> | undefined)?.[path]?.content;
const look = tool(({ at }: { at: string }) => `saw ${at}`, {
  name: "look",
  description: "Looks.",
  schema: z.object({ at: z.string() }),
});
const looking = (at: string, id?: string): Call => ({
  name: "look",
  args: { at },
  ...(id === undefined ? {} : { id }),
});

describe.each(packages)("with $name", ({ createDeepAgent }) => {
  test("todos: a list is kept in the state", async () => {
    const todos = [{ content: "Read", status: "in_progress" }];
    const model = scripted([{ name: "write_todos", args: { todos } }], "done");
    const agent = createDeepAgent({
      model,
      middleware: [todoListMiddleware() as unknown as AgentMiddleware],
    });
    expect(await agent.invoke(say("plan"))).toMatchObject({ todos });
  });

  test("files: what is written, read and edited is in the state, turn after turn", async () => {
    const path = "/notes.md";
    const model = scripted(
      [write(path, "one")],
      "a",
      [read(path)],
      [edit(path, "one", "two")],
      "b",
    );
    const agent = createDeepAgent({ model, checkpointer: new MemorySaver() });
    await agent.invoke(say("write"), inThread("1"));
    const { files, messages } = await agent.invoke(say("edit"), inThread("1"));
    expect(textOf(files, path)).toBe("two");
    expect(results(messages, "read_file")[0]?.text).toContain("one");
  });

  test("systemPrompt, tools, name and contextSchema reach the model and the tools", async () => {
    const who = tool((_: object, { context }: { context?: unknown }) => JSON.stringify(context), {
      name: "who",
      description: "Says who asks.",
      schema: z.object({}),
    });
    const model = scripted([{ name: "who", args: {} }], "done");
    const agent = createDeepAgent({
      model,
      tools: [who],
      name: "main",
      systemPrompt: "You are Ada.",
      contextSchema: z.object({ user: z.string() }),
    });
    const { messages } = await agent.invoke(say("go"), { context: { user: "ada" } });
    expect(model.prompt).toMatch(/^You are Ada\./);
    expect(results(messages, "who")[0]?.text).toBe('{"user":"ada"}');
  });

  test("responseFormat and stateSchema: typed fields of the result", async () => {
    const format = toolStrategy(z.object({ city: z.string() }));
    // The tool that stands for the format is the last one, and has a number in its name.
    const model: ScriptedModel = new ScriptedModel((messages) => {
      const name = /extract-\d+/.exec(JSON.stringify(model.bound.at(-1)))?.[0];
      if (name === undefined || messages.length > 4) return new Error("No format is offered.");
      return [{ name, args: { city: "Rome" } }];
    });
    const agent = createDeepAgent({
      model,
      responseFormat: format,
      stateSchema: z.object({ author: z.string().default("me") }),
    });
    const result = await agent.invoke({ ...say("where?"), author: "ada" });
    expect(result).toMatchObject({ structuredResponse: { city: "Rome" }, author: "ada" });
  });

  test("middleware: its tools, its state and its hooks", async () => {
    const middleware = createMiddleware({
      name: "counting",
      stateSchema: z.object({ calls: z.number().default(0) }),
      tools: [look],
      beforeModel: ({ calls }) => ({ calls: calls + 1 }),
    });
    const agent = createDeepAgent({
      model: scripted([looking("sea")], "x"),
      middleware: [middleware],
    });
    const { calls, messages } = await agent.invoke(say("go"));
    expect(calls).toBe(2);
    expect(results(messages, "look")[0]?.text).toBe("saw sea");
  });

  test("subagents: with tools and a prompt of their own, compiled ones, and general-purpose", async () => {
    const own = scripted([looking("sky")], "It is blue.");
    const runnable = createAgent({ model: scripted("compiled report") });
    const agent = createDeepAgent({
      model: new ScriptedModel((messages) =>
        messages.some((message) => message.text === "work")
          ? "general report"
          : messages.length > 3
            ? "all done"
            : [task("looker"), task("compiled"), task("general-purpose")],
      ),
      subagents: [
        { name: "looker", description: "Looks.", systemPrompt: "LOOK", model: own, tools: [look] },
        { name: "compiled", description: "Runs.", runnable },
      ],
    });
    const { messages } = await agent.invoke(say("go"));
    expect(results(messages, "task").map(({ text }) => text)).toEqual([
      "It is blue.",
      "compiled report",
      "general report",
    ]);
    expect(own.prompt).toContain("LOOK");
    expect(results(own.received.at(-1) ?? [], "look")).toHaveLength(1);
  });

  test("offloading: a large result is saved to a file, and the model sees where", async () => {
    const large = tool(() => "a long line of text\n".repeat(10_000), {
      name: "large",
      description: "Answers much.",
      schema: z.object({}),
    });
    const model = scripted([{ name: "large", args: {}, id: "big" }], "done");
    const { files, messages } = await createDeepAgent({ model, tools: [large] }).invoke(say("go"));
    const [answer] = results(messages, "large");
    const path = Object.keys(files ?? {}).find((one) => one.startsWith("/large_tool_results/"));
    expect(answer?.text).toContain(path);
    expect(answer?.text.length).toBeLessThan(20_000);
    expect(textOf(files, path ?? "")).toHaveLength(200_000);
  });

  test("summarization: near the model's limit old messages become a summary, saved first", async () => {
    const model = new ScriptedModel((messages) => (messages.length === 1 ? "SUMMARY" : "answer"), {
      maxInputTokens: 6000,
    });
    const backend = new MemoryBackend();
    const agent = createDeepAgent({ model, backend, checkpointer: new MemorySaver() });
    for (let turn = 0; turn < 6; turn++)
      await agent.invoke(say(`question ${turn} ${"word ".repeat(1000)}`), inThread("1"));
    const sent = model.received.at(-1) ?? [];
    expect(sent.some(({ text }) => text.includes("SUMMARY"))).toBe(true);
    expect(sent.some(({ text }) => text.startsWith("question 0"))).toBe(false);
    const { matches } = await backend.grep("question 0", "/conversation_history");
    expect(matches?.length).toBeGreaterThan(0);
  });

  test("skills and memory: a line of each skill, and the whole memory, are in the prompt", async () => {
    const model = scripted("done");
    await createDeepAgent({ model, skills: ["/skills/"], memory: ["/AGENTS.md"] }).invoke({
      ...say("go"),
      files: {
        "/skills/pdf/SKILL.md": fileOf(
          "---\nname: pdf\ndescription: Reads PDF files.\n---\n\nBODY\n",
        ),
        "/AGENTS.md": fileOf("The user likes tea."),
      },
    });
    expect(model.prompt).toContain("Reads PDF files.");
    expect(model.prompt).toContain("/skills/pdf/SKILL.md");
    expect(model.prompt).not.toContain("BODY");
    expect(model.prompt).toContain("The user likes tea.");
  });

  test.each<[HITLResponse["decisions"][number], string]>([
    [{ type: "approve" }, "saw sea"],
    [{ type: "edit", editedAction: { name: "look", args: { at: "sky" } } }, "saw sky"],
    [{ type: "reject", message: "not today" }, "not today"],
  ])("human in the loop: $type", async (decision, answer) => {
    const agent = createDeepAgent({
      model: scripted([looking("sea", "1")], "done"),
      tools: [look],
      interruptOn: { look: true },
      checkpointer: new MemorySaver(),
    });
    const [question] = questions(await agent.invoke(say("go"), inThread("1")));
    expect(question?.value.actionRequests).toMatchObject([{ name: "look", args: { at: "sea" } }]);
    const resume = { decisions: [decision] };
    const { messages } = await agent.invoke(new Command({ resume }), inThread("1"));
    expect(results(messages, "look").map(({ text }) => text)).toEqual([
      expect.stringContaining(answer),
    ]);
  });

  test("permissions: a denied path is refused", async () => {
    const agent = createDeepAgent({
      model: scripted([write("/secret/a.md", "x"), write("/b.md", "y")], "done"),
      permissions: [{ operations: ["write"], paths: ["/secret/**"], mode: "deny" }],
    });
    const { files } = await agent.invoke(say("go"));
    expect(Object.keys(files ?? {})).toEqual(["/b.md"]);
  });

  test.each([
    ["the state, ours", () => new StateBackend()],
    ["the state, theirs", () => new theirs.StateBackend()],
    ["memory", () => new MemoryBackend()],
    ["a store, ours", () => new StoreBackend({ namespace: ["ada"] })],
    ["a store, theirs", () => new theirs.StoreBackend({ namespace: ["ada"] })],
    ["routes", () => new CompositeBackend(new StateBackend(), { "/m/": new MemoryBackend() })],
  ])("backend: %s", async (_, backend) => {
    const path = "/m/a.md";
    const agent = createDeepAgent({
      model: scripted(
        [write(path, "one")],
        [read(path)],
        [edit(path, "one", "two")],
        [read(path)],
        "x",
      ),
      backend: backend() as never,
      store: new InMemoryStore(),
    });
    const { messages } = await agent.invoke(say("go"));
    const seen = results(messages, "read_file").map(({ text }) => text);
    expect(seen).toEqual([expect.stringContaining("one"), expect.stringContaining("two")]);
  });

  test("stream: updates of each step come in order", async () => {
    const agent = createDeepAgent({ model: scripted([looking("sea")], "done"), tools: [look] });
    const nodes: string[] = [];
    for await (const update of await agent.stream(say("go"), { streamMode: "updates" }))
      nodes.push(...Object.keys(update));
    const steps = nodes.filter((node) => node === "model_request" || node === "tools");
    expect(steps).toEqual(["model_request", "tools", "model_request"]);
  });
});
