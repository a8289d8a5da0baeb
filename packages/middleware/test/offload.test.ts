import { MemoryBackend, readOnly, withPermissions } from "@fs/protocol";
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver, REMOVE_ALL_MESSAGES } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  createFilesystemMiddleware,
  estimateTokens,
  type FilesystemMiddlewareOptions,
} from "@fs/middleware";
import { ScriptedModel, type Step } from "./support/scripted-model.js";
import { saved } from "./support/offloaded.js";

type Output = string | ToolMessage | Command;

/** An agent with one tool of the user's that returns `output`, and what its one call became. */
async function resultOf(
  output: (id: string) => Output,
  options: FilesystemMiddlewareOptions,
  id = "call_1",
): Promise<ToolMessage> {
  const fetchAll = tool(
    async (_, runtime): Promise<unknown> => output(String(runtime.toolCall?.id)),
    {
      name: "fetch_all",
      description: "Fetches",
      schema: z.object({}),
    },
  );
  const model = new ScriptedModel([() => [{ name: "fetch_all", args: {}, id }]]);
  const middleware = [createFilesystemMiddleware(options)];
  const agent = createAgent({ model, tools: [fetchAll], middleware });
  const state = await agent.invoke({ messages: [new HumanMessage("go")] });
  const messages: BaseMessage[] = state.messages;
  const result = messages.find((message) => ToolMessage.isInstance(message));
  if (result === undefined) throw new Error("no result");
  return result;
}

describe("large tool results", () => {
  it("are saved whole and replaced by a pointer with both ends, verbatim", async () => {
    const backend = new MemoryBackend();
    const text = `$& first $\`\n${"middle\n".repeat(20_000)}last $1 $$`;
    const result = await resultOf(() => text, { backend });
    const [path] = await saved(backend);
    expect(path).toMatch(/^\/large_tool_results\/fetch_all-[0-9a-f]{8}-[0-9a-f]{8}\.txt$/);
    expect((await backend.readRaw(path ?? "")).data?.content).toBe(text);
    expect(result.text).toContain(path);
    expect(result.text).toContain("$& first $`\nmiddle\n");
    expect(result.text.endsWith("middle\nlast $1 $$")).toBe(true);
    expect(result.text.length).toBeLessThan(3000);
  });

  it("keep id, name, artifact, status and metadata", async () => {
    const backend = new MemoryBackend();
    const result = await resultOf(
      (id) =>
        new ToolMessage({
          id: "message-1",
          content: "x".repeat(200_000),
          tool_call_id: id,
          name: "fetch_all",
          status: "error",
          artifact: { rows: 7 },
          additional_kwargs: { kept: 1 },
          metadata: { source: "test" },
        }),
      { backend },
    );
    expect(result).toMatchObject({
      id: "message-1",
      name: "fetch_all",
      tool_call_id: "call_1",
      status: "error",
      artifact: { rows: 7 },
      additional_kwargs: { kept: 1 },
      metadata: { source: "test" },
    });
    expect(await saved(backend)).toHaveLength(1);
  });

  it("keep images where they are, and are not large because of them", async () => {
    const image = { type: "image", mimeType: "image/png", data: "A".repeat(500_000) };
    const small = new MemoryBackend();
    const kept = await resultOf(
      (id) =>
        new ToolMessage({ content: [{ type: "text", text: "small" }, image], tool_call_id: id }),
      { backend: small },
    );
    expect(kept.content).toEqual([{ type: "text", text: "small" }, image]);
    expect(await saved(small)).toEqual([]);
    const large = new MemoryBackend();
    const moved = await resultOf(
      (id) =>
        new ToolMessage({
          content: [{ type: "text", text: "t".repeat(200_000) }, image],
          tool_call_id: id,
        }),
      { backend: large },
    );
    expect(moved.content).toHaveLength(2);
    expect(moved.content[1]).toEqual(image);
    expect(await saved(large)).toHaveLength(1);
  });

  it("are found in a Command, whose other updates stay", async () => {
    const backend = new MemoryBackend();
    const result = await resultOf(
      (id) =>
        new Command({
          update: {
            messages: [new ToolMessage({ content: "y".repeat(200_000), tool_call_id: id })],
          },
        }),
      { backend },
    );
    expect(result.text).toContain("/large_tool_results/");
    expect(await saved(backend)).toHaveLength(1);
  });

  it("are found where a Command replaces all messages", async () => {
    const backend = new MemoryBackend();
    const result = await resultOf(
      (id) =>
        new Command({
          update: {
            messages: [
              new RemoveMessage({ id: REMOVE_ALL_MESSAGES }),
              new HumanMessage("start over"),
              new AIMessage({ content: "", tool_calls: [{ id, name: "fetch_all", args: {} }] }),
              new ToolMessage({ content: "y".repeat(200_000), tool_call_id: id }),
            ],
          },
        }),
      { backend },
    );
    expect(result.text).toContain("/large_tool_results/");
    expect(await saved(backend)).toHaveLength(1);
  });

  it("are counted right in Chinese, Japanese and Korean", async () => {
    for (const character of ["漢", "か", "한"]) {
      const backend = new MemoryBackend();
      await resultOf(() => character.repeat(21_000), { backend });
      expect(await saved(backend)).toHaveLength(1);
    }
    const english = new MemoryBackend();
    await resultOf(() => "word ".repeat(4_200), { backend: english });
    expect(await saved(english)).toEqual([]);
    expect(estimateTokens("漢字かな한글")).toBe(6);
    expect(estimateTokens("plain english text")).toBe(5);
  });

  it("get safe and different names whatever the call is named", async () => {
    const backend = new MemoryBackend();
    const id = `../../${"x".repeat(1500)}/\u0000$(rm)`;
    await resultOf(() => "a".repeat(100_000), { backend }, id);
    await resultOf(() => "b".repeat(100_000), { backend }, id);
    const paths = await saved(backend);
    expect(paths).toHaveLength(2);
    for (const path of paths) expect(path).toMatch(/^\/large_tool_results\/[\w-]{1,70}\.txt$/);
  });

  it("stay whole when they cannot be saved", async () => {
    const text = "z".repeat(200_000);
    const heard: unknown[] = [];
    const refused = await resultOf(() => text, {
      backend: readOnly(new MemoryBackend()),
      onError: (error) => heard.push(error),
    });
    expect(refused.text).toBe(text);
    const throwing = new Proxy(new MemoryBackend(), {
      get: (target, key) =>
        key === "write"
          ? () => Promise.reject(new Error("down"))
          : (Reflect.get(target, key) as unknown),
    });
    expect(
      (await resultOf(() => text, { backend: throwing, onError: (error) => heard.push(error) }))
        .text,
    ).toBe(text);
    expect(heard).toHaveLength(2);
    const denied = withPermissions(new MemoryBackend(), [
      { operations: ["write"], paths: ["/**"], mode: "deny" },
    ]);
    expect((await resultOf(() => text, { backend: denied })).text).toBe(text);
  });

  it("obey the limit, the counter, the directory and the switch", async () => {
    const text = "one two three four five";
    const words = (value: string): number => value.split(" ").length;
    const backend = new MemoryBackend();
    const options = {
      backend,
      toolTokenLimitBeforeEvict: 4,
      tokenCounter: words,
      artifactsRoot: "/kept",
    };
    await resultOf(() => text, options);
    expect((await saved(backend))[0]).toMatch(/^\/kept\//);
    const off = new MemoryBackend();
    await resultOf(() => "x".repeat(1_000_000), { backend: off, toolTokenLimitBeforeEvict: null });
    expect(await saved(off)).toEqual([]);
  });

  it("go into the thread's state by default and can be read back", async () => {
    const dump = tool(async () => `${"row\n".repeat(40_000)}END`, {
      name: "dump",
      description: "Dumps",
      schema: z.object({}),
    });
    const pathIn = (text: string): string =>
      /\/large_tool_results\/[\w.-]+\.txt/.exec(text)?.[0] ?? "";
    const steps: Step[] = [
      () => [{ name: "dump", args: {} }],
      (messages) => [
        {
          name: "read_file",
          args: { file_path: pathIn(messages.at(-1)?.text ?? ""), offset: 39_999 },
        },
      ],
      (messages) => messages.at(-1)?.text ?? "",
    ];
    const agent = createAgent({
      model: new ScriptedModel(steps),
      tools: [dump],
      middleware: [createFilesystemMiddleware()],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "t" } };
    const state = await agent.invoke({ messages: [new HumanMessage("go")] }, config);
    expect(state.messages.at(-1)?.text).toBe("40000→row\n40001→END");
    expect(Object.keys(state.files)).toHaveLength(1);
  });
});
