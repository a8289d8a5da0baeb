import { ConfigurationError } from "@fs/agent";
import { MemoryBackend } from "@fs/protocol";
import { MemorySaver } from "@langchain/langgraph";
import { createMiddleware, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { create, type Create, scripted } from "./support/both-packages.js";
import { inThread, results, say } from "./support/results.js";
import { edit, read, ScriptedModel, task, write } from "./support/scripted-model.js";

// The rows about subagents, tools and files of docs/migrating-from-deepagents.md: what either package does with the same program.
const failing = tool(() => Promise.reject(new Error("broken")), {
  name: "failing",
  description: "Fails.",
  schema: z.object({}),
});
const callFailing = [{ name: "failing", args: {} }];

/** How many of eight parallel edits of one file are kept. */
async function keptEdits(createDeepAgent: Create): Promise<number> {
  const path = "/shared.md";
  const lines = Array.from({ length: 8 }, (_, at) => `line ${at}.\n`).join("");
  const worker = new ScriptedModel((messages) => {
    const done = messages.filter((message) => message.getType() === "tool").length;
    const me = messages.find((message) => message.getType() === "human")?.text;
    if (done === 0) return [read(path)];
    return done === 1 ? [edit(path, `line ${me}.`, `done ${me}.`)] : "done";
  });
  const tasks = Array.from({ length: 8 }, (_, at) => task("worker", String(at)));
  const { files } = await createDeepAgent({
    model: scripted([write(path, lines)], tasks, "done"),
    subagents: [{ name: "worker", description: "Edits.", systemPrompt: "Edit.", model: worker }],
  }).invoke(say("go"));
  return JSON.stringify(files).match(/done \d/g)?.length ?? 0;
}

test("parallel edits of one file by subagents: all are kept, or the last one", async () => {
  expect(await keptEdits(create.ours)).toBe(8);
  expect(await keptEdits(create.theirs)).toBe(1);
});

test("a tool that throws: a message with an error, or the end of the run", async () => {
  const run = async (createDeepAgent: Create) =>
    createDeepAgent({ model: scripted(callFailing, "done"), tools: [failing] }).invoke(say("go"));
  const { messages } = await run(create.ours);
  expect(results(messages, "failing")[0]?.status).toBe("error");
  await expect(run(create.theirs)).rejects.toThrow("broken");
});

test("an unknown subagent: a message with an error, or the end of the run", async () => {
  const run = async (createDeepAgent: Create) =>
    createDeepAgent({ model: scripted([task("nobody")], "done") }).invoke(say("go"));
  const { messages } = await run(create.ours);
  expect(results(messages, "task")[0]?.status).toBe("error");
  await expect(run(create.theirs)).rejects.toThrow("nobody");
});

test("write_file on a file that exists: refused, or the file is replaced", async () => {
  const run = async (createDeepAgent: Create): Promise<string> => {
    const model = scripted([write("/a.md", "first")], [write("/a.md", "second")], "done");
    return JSON.stringify((await createDeepAgent({ model }).invoke(say("go"))).files);
  };
  expect(await run(create.ours)).toContain("first");
  expect(await run(create.theirs)).toContain("second");
});

test("changed memory: read in every run, or once per thread", async () => {
  const run = async (createDeepAgent: Create): Promise<string> => {
    const path = "/AGENTS.md";
    const model = scripted([write(path, "likes tea")], "saved", "done");
    const agent = createDeepAgent({ model, memory: [path], checkpointer: new MemorySaver() });
    await agent.invoke(say("remember"), inThread("1"));
    await agent.invoke(say("go on"), inThread("1"));
    return model.prompt;
  };
  expect(await run(create.ours)).toContain("likes tea");
  expect(await run(create.theirs)).not.toContain("likes tea");
});

test.each(["relative", "~/home"])(
  "the path %s of memory and skills: refused at construction, or accepted",
  (path) => {
    const build = (createDeepAgent: Create, option: "memory" | "skills") => () =>
      createDeepAgent({ model: scripted(), [option]: [path] });
    for (const option of ["memory", "skills"] as const) {
      expect(build(create.ours, option)).toThrow(ConfigurationError);
      expect(build(create.theirs, option)).not.toThrow();
    }
  },
);

test("a subagent whose model fails: a message with an error, or the end of the run", async () => {
  const run = async (createDeepAgent: Create) => {
    const worker = (name: string, model: ScriptedModel) => ({
      name,
      description: "Works.",
      systemPrompt: "Work.",
      model,
    });
    return createDeepAgent({
      model: scripted([task("failing"), task("writing")], "done"),
      subagents: [
        worker("failing", new ScriptedModel(() => new Error("The model is down."))),
        worker("writing", scripted([write("/a.md", "a")], "written")),
      ],
    }).invoke(say("go"));
  };
  const { messages, files } = await run(create.ours);
  expect(results(messages, "task").map(({ status }) => status)).toEqual(["error", "success"]);
  expect(Object.keys(files ?? {})).toEqual(["/a.md"]);
  await expect(run(create.theirs)).rejects.toThrow("The model is down.");
});

test("a field that does not merge, of parallel subagents: stays in each, or ends the run", async () => {
  const run = async (createDeepAgent: Create) => {
    const marking = (last: string) =>
      createMiddleware({
        name: "marking",
        stateSchema: z.object({ last: z.string().default("none") }),
        beforeAgent: () => ({ last }),
      });
    const worker = (name: string) => ({
      name,
      description: "Works.",
      systemPrompt: "Work.",
      model: scripted("report"),
      middleware: [marking(name)],
    });
    return createDeepAgent({
      model: scripted([task("a"), task("b")], "done"),
      middleware: [marking("main")],
      subagents: [worker("a"), worker("b")],
    }).invoke(say("go"));
  };
  expect((await run(create.ours)).last).toBe("main");
  await expect(run(create.theirs)).rejects.toThrow(/last/);
});

test.each([
  ["an unknown option", { subagentz: [] }],
  [
    "a subagent name that is no word",
    { subagents: [{ name: "a b", description: "x", systemPrompt: "x" }] },
  ],
  ["interruptOn for a tool that does not exist", { interruptOn: { nothing: true } }],
  ["graphId", { subagents: [{ name: "far", description: "x", graphId: "g" }] }],
])("%s: refused at construction, or accepted", (_what, params) => {
  const build = (createDeepAgent: Create) => () =>
    createDeepAgent({ model: scripted(), ...params } as Parameters<Create>[0]);
  expect(build(create.ours)).toThrow(ConfigurationError);
  expect(build(create.theirs)).not.toThrow();
});

test("edit_file on a file that the agent has not read: refused, or edited", async () => {
  const run = async (createDeepAgent: Create): Promise<string> => {
    const backend = new MemoryBackend();
    await backend.write("/a.md", "one");
    const model = scripted([edit("/a.md", "one", "two")], "done");
    await createDeepAgent({ model, backend }).invoke(say("go"));
    return String((await backend.read("/a.md")).content);
  };
  expect(await run(create.ours)).toBe("one");
  expect(await run(create.theirs)).toBe("two");
});
