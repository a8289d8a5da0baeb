import * as ours from "@fs/agent";
import { Command, MemorySaver } from "@langchain/langgraph";
import * as theirs from "deepagents";
import { tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { inThread, questions, results, say } from "./support/results.js";
import { edit, read, type Reply, ScriptedModel, task, write } from "./support/scripted-model.js";

// The rows of docs/migrating-from-deepagents.md: what either package does with the same program.
const create = {
  ours: ours.createDeepAgent as unknown as typeof theirs.createDeepAgent,
  theirs: theirs.createDeepAgent,
};
type Create = typeof theirs.createDeepAgent;
const scripted = (...replies: readonly Reply[]) => new ScriptedModel(replies);
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

test("one plain answer to two approvals: refused, or it approves both", async () => {
  const run = async (createDeepAgent: Create) => {
    const paid: string[] = [];
    const pay = tool(
      () => {
        paid.push("paid");
        return "paid";
      },
      { name: "pay", description: "Pays.", schema: z.object({}) },
    );
    const worker = new ScriptedModel((messages) =>
      messages.at(-1)?.getType() === "tool" ? "done" : [{ name: "pay", args: {} }],
    );
    const agent = createDeepAgent({
      model: scripted([task("worker"), task("worker")], "done"),
      tools: [pay],
      subagents: [{ name: "worker", description: "Pays.", systemPrompt: "Pay.", model: worker }],
      interruptOn: { pay: true },
      checkpointer: new MemorySaver(),
    });
    expect(questions(await agent.invoke(say("go"), inThread("1")))).toHaveLength(2);
    const resume = { decisions: [{ type: "approve" }] };
    const ended = agent.invoke(new Command({ resume }), inThread("1"));
    return { ended, paid };
  };
  const refused = await run(create.ours);
  await expect(refused.ended).rejects.toThrow(/interrupt id/);
  expect(refused.paid).toEqual([]);
  const approved = await run(create.theirs);
  await approved.ended;
  expect(approved.paid).toEqual(["paid", "paid"]);
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

test("a relative path of memory: refused at construction, or accepted", () => {
  const build = (createDeepAgent: Create) => () =>
    createDeepAgent({ model: scripted(), memory: ["AGENTS.md"] });
  expect(build(create.ours)).toThrow(ours.ConfigurationError);
  expect(build(create.theirs)).not.toThrow();
});
