import { MemoryBackend, readOnly } from "@fs/protocol";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent, createMiddleware } from "langchain";
import { describe, expect, it } from "vitest";
import { createFilesystemMiddleware, type FilesystemMiddlewareOptions } from "@fs/middleware";
import { ScriptedModel } from "./support/scripted-model.js";
import { saved } from "./support/offloaded.js";

describe("large human messages", () => {
  const turn = async (options: FilesystemMiddlewareOptions, content: HumanMessage) => {
    const model = new ScriptedModel([() => [{ name: "ls", args: {} }], () => "done"]);
    const agent = createAgent({ model, middleware: [createFilesystemMiddleware(options)] });
    const { messages } = await agent.invoke({ messages: [content] });
    return { model, messages };
  };

  it("are saved once, sent short, and short in the state", async () => {
    const backend = new MemoryBackend();
    const text = `BEGIN ${"long ".repeat(60_000)}END`;
    const { model, messages } = await turn(
      { backend },
      new HumanMessage({ id: "h1", content: text, name: "ada" }),
    );
    const [path, ...more] = await saved(backend);
    expect(more).toEqual([]);
    expect((await backend.readRaw(path ?? "")).data?.content).toBe(text);
    expect(messages.map((message) => message.type)).toEqual(["human", "ai", "tool", "ai"]);
    expect(messages[0]).toMatchObject({ id: "h1", name: "ada" });
    for (const message of [messages[0], model.received[0]?.[0], model.received[1]?.[0]]) {
      expect(message?.text).toContain(path);
      expect(message?.text).toContain("BEGIN");
      expect(message?.text.length).toBeLessThan(4000);
    }
  });

  it("go into the thread's state by default, once for many turns", async () => {
    const agent = createAgent({
      model: new ScriptedModel([() => "one", () => "two"]),
      middleware: [createFilesystemMiddleware()],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "t" } };
    await agent.invoke({ messages: [new HumanMessage("long ".repeat(60_000))] }, config);
    const { files, messages } = await agent.invoke(
      { messages: [new HumanMessage("next")] },
      config,
    );
    expect(Object.keys(files)).toHaveLength(1);
    expect(messages.map((message) => message.text.length < 4000)).toEqual([true, true, true, true]);
  });

  it("keep their images", async () => {
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    const content = [{ type: "text", text: "漢".repeat(60_000) }, image];
    const { model } = await turn({ backend: new MemoryBackend() }, new HumanMessage({ content }));
    expect(model.received[0]?.[0]?.content[1]).toEqual(image);
  });

  it("stay whole when they cannot be saved or the switch is off", async () => {
    const text = "w ".repeat(200_000);
    for (const options of [
      { backend: readOnly(new MemoryBackend()) },
      { backend: new MemoryBackend(), humanMessageTokenLimitBeforeEvict: null },
    ]) {
      const { model } = await turn(options, new HumanMessage(text));
      expect(model.received[0]?.[0]?.text).toBe(text);
    }
  });

  it("work beneath another middleware around the model", async () => {
    const seen: string[] = [];
    const outer = createMiddleware({
      name: "outer",
      wrapModelCall: async (request, handler) => {
        const reply = await handler(request);
        seen.push(AIMessage.isInstance(reply) ? reply.text : "not a message");
        return reply;
      },
    });
    const agent = createAgent({
      model: new ScriptedModel([() => "answer"]),
      middleware: [outer, createFilesystemMiddleware({ backend: new MemoryBackend() })],
    });
    const { messages } = await agent.invoke({ messages: [new HumanMessage("x".repeat(300_000))] });
    expect(messages.map((message) => message.type)).toEqual(["human", "ai"]);
    expect(messages[1]?.text).toBe("answer");
    expect(seen).toEqual(["answer"]);
  });
});
