import { createDeepAgent, createSummarizationMiddleware } from "@fs/agent";
import { CompositeBackend } from "@fs/protocol";
import { StateBackend } from "@fs/state";
import { ContextOverflowError } from "@langchain/core/errors";
import { MemorySaver } from "@langchain/langgraph";
import { CompositeBackend as PeerComposite, StateBackend as PeerState } from "deepagents";
import { createAgent } from "langchain";
import { describe, expect, test } from "vitest";
import { inThread, messagesOf, say } from "./support/results.js";
import { edit, type Reply, ScriptedModel, task, write } from "./support/scripted-model.js";

const scripted = (...replies: readonly Reply[]) => new ScriptedModel(replies);
// As programs for deepagents 1.8 have it: a backend for each call, of the runtime that it is given.
const backend = (runtime: unknown) =>
  new CompositeBackend(new StateBackend(runtime as { state: unknown }), {});

test("parallel edits through a factory of backends are all kept", async () => {
  const path = "/notes.md";
  const agent = createDeepAgent({
    model: scripted(
      [write(path, "- a\n- b\n")],
      [edit(path, "- a", "- A"), edit(path, "- b", "- B")],
      "done",
    ),
    backend,
  });
  const { files } = await agent.invoke(say("go"));
  expect(files[path]?.content).toBe("- A\n- B\n");
});

test("what a subagent writes through a factory is there for the agent that called it", async () => {
  const worker = scripted([write("/draft.md", "a draft\n")], "done");
  const agent = createDeepAgent({
    model: scripted([task("worker", "write")], "done"),
    subagents: [{ name: "worker", description: "Writes.", systemPrompt: "Write.", model: worker }],
    backend,
  });
  const { files } = await agent.invoke(say("go"));
  expect(Object.keys(files)).toEqual(["/draft.md"]);
});

describe.each<[string, (runtime: unknown) => object]>([
  ["of deepagents", (runtime) => new PeerState(runtime as never)],
  ["in a composite", (runtime) => new CompositeBackend(new PeerState(runtime as never), {})],
  [
    "in a composite of deepagents",
    (runtime) => new PeerComposite(new PeerState(runtime as never), {}),
  ],
  ["of ours", (runtime) => new StateBackend(runtime as never)],
])("a factory of a StateBackend %s", (_which, factory) => {
  const build = (model: ScriptedModel, more: object = {}) =>
    createDeepAgent({
      model,
      backend: factory as never,
      todos: false,
      checkpointer: new MemorySaver(),
      ...more,
    });
  const summarization = {
    model: new ScriptedModel(() => "SUMMARY"),
    trigger: { type: "messages", value: 6 },
    keep: { type: "messages", value: 2 },
    prune: true,
  } as const;
  const path = "/conversation_history/t/main.md";

  test("keeps the history of what a summary stands for", async () => {
    const agent = build(scripted(), { summarization });
    for (const text of ["one", "two", "three", "four", "five", "six"])
      await agent.invoke(say(text), inThread("t"));
    const { files } = await agent.invoke(say("seven"), inThread("t"));
    const kept = (await messagesOf(agent, "t")).map(({ text }) => text);
    expect(kept).not.toContain("one");
    for (const text of ["one", "two", "three"])
      expect(String(files[path]?.content)).toContain(`human: ${text}\n`);
  });

  test("keeps it where the provider refused the conversation", async () => {
    const model = new ScriptedModel((messages) =>
      messages.length > 6 ? new ContextOverflowError("too long") : "ok",
    );
    const trigger = { type: "tokens", value: 1e6 } as const;
    const agent = build(model, { summarization: { ...summarization, trigger } });
    for (const text of ["one", "two", "three", "four", "five", "six"])
      await agent.invoke(say(text), inThread("t"));
    const { files } = await agent.invoke(say("seven"), inThread("t"));
    expect((await messagesOf(agent, "t")).map(({ text }) => text)).not.toContain("one");
    expect(String(files[path]?.content)).toContain("human: one\n");
  });

  test("finds memory and skills in the state", async () => {
    const skill = "---\nname: pdf\ndescription: Reads PDF.\n---\n";
    const model = scripted(
      [write("/AGENTS.md", "likes tea"), write("/s/pdf/SKILL.md", skill)],
      "saved",
    );
    const agent = build(model, { memory: ["/AGENTS.md"], skills: ["/s/"] });
    await agent.invoke(say("go"), inThread("t"));
    await agent.invoke(say("on"), inThread("t"));
    expect(model.prompt).toContain("likes tea");
    expect(model.prompt).toContain("/s/pdf/SKILL.md");
  });
});

test("a history that the graph's state has no place for counts as not saved", async () => {
  const errors: string[] = [];
  const model = new ScriptedModel([]);
  const agent = createAgent({
    model,
    checkpointer: new MemorySaver(),
    middleware: [
      createSummarizationMiddleware({
        backend: ((runtime: unknown) => new PeerState(runtime as never)) as never,
        model: new ScriptedModel(() => "SUMMARY"),
        trigger: { type: "messages", value: 4 },
        prune: true,
        onError: (error) => errors.push(String(error)),
      }),
    ],
  });
  for (const text of ["one", "two", "three", "four"]) await agent.invoke(say(text), inThread("t"));
  expect(await messagesOf(agent, "t")).toHaveLength(8);
  expect(errors[0]).toContain("no field for files");
});
