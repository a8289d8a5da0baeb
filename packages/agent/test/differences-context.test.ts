import { MemoryBackend } from "@fs/protocol";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { create, type Create, scripted } from "./support/both-packages.js";
import { recorded } from "./support/recorded.js";
import { inThread, messagesOf, results, say, stateOf } from "./support/results.js";
import { type Policy, ScriptedModel } from "./support/scripted-model.js";

// The rows about prompts, context, skills and repair of docs/migrating-from-deepagents.md, with the same program on both.
test("todos and a base prompt: there from the start, or added by the app", async () => {
  const run = async (createDeepAgent: Create) => {
    const model = scripted();
    await createDeepAgent({ model }).invoke(say("go"));
    return { todos: model.toolNames.includes("write_todos"), prompt: model.prompt !== "" };
  };
  expect(await run(create.ours)).toEqual({ todos: true, prompt: true });
  expect(await run(create.theirs)).toEqual({ todos: false, prompt: false });
});

/** Six long turns in each of two threads of one agent, so that both are summarized. */
async function summarized(createDeepAgent: Create, summary: Policy = () => "SUMMARY") {
  const model = new ScriptedModel(
    (messages) => (messages.length === 1 ? summary(messages) : "answer"),
    { maxInputTokens: 6000 },
  );
  const backend = new MemoryBackend();
  const agent = createDeepAgent({ model, backend, checkpointer: new MemorySaver() });
  for (const thread of ["one", "two"])
    for (let turn = 0; turn < 6; turn++)
      await agent.invoke(say(`${thread} ${turn} ${"word ".repeat(1000)}`), inThread(thread));
  const { files = [] } = await backend.glob("**/*", "/conversation_history");
  return { agent, backend, paths: files.map(({ path }) => path).toSorted() };
}

test("history: a file for each thread and agent, or one for all threads of an agent", async () => {
  const { paths, agent } = await summarized(create.ours);
  expect(paths).toEqual(["/conversation_history/one/main.md", "/conversation_history/two/main.md"]);
  const theirs = await summarized(create.theirs);
  expect(theirs.paths).toEqual([
    expect.stringMatching(/^\/conversation_history\/session_\w+\.md$/),
  ]);
  const { content } = await theirs.backend.read(theirs.paths[0] ?? "", 0, 1000);
  expect(content).toMatch(/one 0 word[\s\S]*two 0 word/);
  // What the thread remembers of it.
  const fields = async (of: unknown) => Object.keys((await stateOf(of, "one")).values);
  expect(await fields(agent)).toContain("_summary");
  expect(await fields(theirs.agent)).toContain("_summarizationEvent");
});

test("a summarizer that fails: the agent goes on, or the run ends", async () => {
  const failing = () => new Error("The summarizer is down.");
  const { agent } = await summarized(create.ours, failing);
  expect((await messagesOf(agent, "two")).at(-1)?.text).toBe("answer");
  await expect(summarized(create.theirs, failing)).rejects.toThrow("The summarizer is down.");
});

test("skills: read in every run with two calls, or once per thread with one for each", async () => {
  const run = async (createDeepAgent: Create) => {
    const files = new MemoryBackend();
    const { backend, calls } = recorded(files);
    const add = (name: string) =>
      files.write(`/s/${name}/SKILL.md`, `---\nname: ${name}\ndescription: Does things.\n---\n`);
    await add("first");
    await add("second");
    await add("third");
    const model = scripted();
    const checkpointer = new MemorySaver();
    const agent = createDeepAgent({ model, backend, checkpointer, skills: ["/s/"] });
    await agent.invoke(say("go"), inThread("1"));
    const callsOfRun = calls.length;
    await add("fourth");
    await agent.invoke(say("go on"), inThread("1"));
    return { callsOfRun, sees: model.prompt.includes("fourth") };
  };
  expect(await run(create.ours)).toEqual({ callsOfRun: 2, sees: true });
  expect(await run(create.theirs)).toEqual({ callsOfRun: 4, sees: false });
});

test("a call without an answer: repaired in what is sent, or in the state", async () => {
  const run = async (createDeepAgent: Create) => {
    const model = scripted("done");
    const call = { id: "1", name: "ls", args: {}, type: "tool_call" as const };
    const asked = new AIMessage({ content: "", tool_calls: [call] });
    const { messages } = await createDeepAgent({ model }).invoke({
      messages: [new HumanMessage("go"), asked, new HumanMessage("go on")],
    });
    return {
      sent: results(model.received[0] ?? []).length,
      inState: results(messages).length,
    };
  };
  expect(await run(create.ours)).toEqual({ sent: 1, inState: 0 });
  expect(await run(create.theirs)).toEqual({ sent: 1, inState: 1 });
});
