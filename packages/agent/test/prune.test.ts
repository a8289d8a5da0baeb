import { createDeepAgent, type SummarizationOptions } from "@fs/agent";
import { type AnyBackendProtocol, interceptBackend, MemoryBackend } from "@fs/protocol";
import { ContextOverflowError } from "@langchain/core/errors";
import { HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { describe, expect, test } from "vitest";
import { inThread, messagesOf, say } from "./support/results.js";
import { reporting, ScriptedModel } from "./support/scripted-model.js";

const six: SummarizationOptions = {
  trigger: { type: "messages", value: 6 },
  keep: { type: "messages", value: 2 },
};
const summarizer = () => new ScriptedModel(() => "SUMMARY");
/** A model whose window is full at every call, so that something has to go whatever fails. */
const atTheLimit = () =>
  new ScriptedModel(
    () => reporting("ok", { input_tokens: 990, output_tokens: 5, total_tokens: 995 }),
    { maxInputTokens: 1000 },
  );
const agentWith = (
  model: ScriptedModel,
  backend: AnyBackendProtocol,
  summarization: SummarizationOptions,
  checkpointer = new MemorySaver(),
) =>
  createDeepAgent({
    model,
    backend,
    todos: false,
    checkpointer,
    summarization: { model: summarizer(), ...summarization },
  });
const historyOf = async (backend: MemoryBackend) =>
  String((await backend.read("/conversation_history/t/main.md", 0, 100_000)).content ?? "");
const summaryIn = (model: ScriptedModel) => model.received.at(-1)?.[1]?.text ?? "";

describe("H27: messages leave the state only when they are in the history file", () => {
  test("a history file that is full: the later ones stay, and the summary says so", async () => {
    const backend = new MemoryBackend({ maxFileBytes: 2000 });
    const model = atTheLimit();
    const agent = agentWith(model, backend, { prune: true });
    for (let at = 0; at < 30; at++) await agent.invoke(say(`message-${at}.`), inThread("t"));
    const kept = (await messagesOf(agent, "t")).map(({ text }) => text);
    const saved = await historyOf(backend);
    const lost = Array.from({ length: 30 }, (_, at) => `message-${at}.`).filter(
      (text) => !saved.includes(text) && !kept.includes(text),
    );
    expect(lost).toEqual([]);
    expect(kept).not.toContain("message-0.");
    expect(summaryIn(model)).toMatch(/first of the earlier messages are in .*main\.md; the later/);
  });

  test("what a storage that was down did not take is saved when it is back, and then removed", async () => {
    const files = new MemoryBackend();
    let down = false;
    const backend = interceptBackend(files, async ({ method }, proceed) =>
      down && method === "edit"
        ? ({ error: "The storage is down.", code: "unavailable" } as never)
        : proceed(),
    );
    const model = atTheLimit();
    const agent = agentWith(model, backend, { prune: true });
    const turns = async (...inputs: string[]) => {
      for (const input of inputs) await agent.invoke(say(input), inThread("t"));
    };
    await turns("one", "two", "three");
    down = true;
    await turns("four", "five", "six");
    expect((await messagesOf(agent, "t")).map(({ text }) => text)).toContain("four");
    down = false;
    await turns("seven", "eight");
    const saved = await historyOf(files);
    for (const text of ["one", "four", "five", "six"]) expect(saved).toContain(`human: ${text}\n`);
    expect((await messagesOf(agent, "t")).map(({ text }) => text)).not.toContain("four");
    expect(summaryIn(model)).toContain("The earlier messages are in /conversation_history/t/main");
  });

  test("without prune, too, the summary does not promise a file for what is not in it", async () => {
    const backend = new MemoryBackend({ maxFileBytes: 1000 });
    const model = atTheLimit();
    const agent = agentWith(model, backend, {});
    for (let at = 0; at < 20; at++) await agent.invoke(say(`message-${at}.`), inThread("t"));
    expect(summaryIn(model)).toContain("the later ones could not be saved");
    expect(await messagesOf(agent, "t")).toHaveLength(40);
  });

  test("an agent without prune removes nothing after one with it", async () => {
    const backend = new MemoryBackend();
    const checkpointer = new MemorySaver();
    const build = (prune: boolean) =>
      agentWith(new ScriptedModel(() => "ok"), backend, { ...six, prune }, checkpointer);
    const pruning = build(true);
    for (const text of ["one", "two", "three", "four"])
      await pruning.invoke(say(text), inThread("t"));
    const left = (await messagesOf(pruning, "t")).length;
    expect(left).toBeLessThan(8);
    const keeping = build(false);
    for (const text of ["five", "six", "seven", "eight", "nine"])
      await keeping.invoke(say(text), inThread("t"));
    expect(await messagesOf(keeping, "t")).toHaveLength(left + 10);
  });

  test("they leave, too, after a summary that the provider's refusal brought about", async () => {
    const model = new ScriptedModel((messages) =>
      messages.length > 6 ? new ContextOverflowError("too long") : "ok",
    );
    const backend = new MemoryBackend();
    const agent = agentWith(model, backend, {
      prune: true,
      trigger: { type: "tokens", value: 1e6 },
      keep: { type: "messages", value: 2 },
    });
    for (let at = 0; at < 8; at++) await agent.invoke(say(`message-${at}.`), inThread("t"));
    const kept = (await messagesOf(agent, "t")).map(({ text }) => text);
    expect(kept.length).toBeLessThan(12);
    expect(kept).not.toContain("message-0.");
    expect(await historyOf(backend)).toContain("message-0.");
  });

  test("a message with an image stays, because the file has only its words", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const agent = agentWith(new ScriptedModel(() => "ok"), new MemoryBackend(), {
      ...six,
      prune: true,
    });
    const content = [{ type: "text" as const, text: "look at this" }, image];
    await agent.invoke({ messages: [new HumanMessage({ content })] }, inThread("t"));
    for (const text of ["two", "three", "four", "five"])
      await agent.invoke(say(text), inThread("t"));
    const messages = await messagesOf(agent, "t");
    expect(messages[0]?.content).toEqual(content);
    expect(messages.map(({ text }) => text)).not.toContain("two");
  });
});
