import { MemoryBackend } from "@fs/protocol";
import { createFilesystemMiddleware, type FilesystemMiddlewareOptions } from "@fs/middleware";
import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { StateBackend as PeerState } from "deepagents";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ScriptedModel } from "./support/scripted-model.js";

const LARGE = "row\n".repeat(50_000);

/** One turn in which the agent calls a tool of the user's that answers a large text. */
async function turn(
  options: FilesystemMiddlewareOptions,
  text = LARGE,
  input = "go",
  name = "big",
) {
  const big = tool(async () => text, { name, description: "Large", schema: z.object({}) });
  const model = new ScriptedModel([() => [{ name, args: {} }], () => "finished"]);
  const middleware = [createFilesystemMiddleware(options)];
  const agent = createAgent({ model, tools: [big], middleware });
  const message = new HumanMessage({ id: "m", content: input });
  const state = await agent.invoke({ messages: [message] });
  const files = Object.keys(Object(Reflect.get(state, "files")));
  const all: BaseMessage[] = state.messages;
  const result = all.find((one) => ToolMessage.isInstance(one));
  return { result: result?.text, last: all.at(-1)?.text, model, files };
}

const paths = async (backend: MemoryBackend): Promise<string[]> =>
  ((await backend.glob("**", "/")).files ?? []).map(({ path }) => path);

describe("a large result stays whole, and nothing is left of it,", () => {
  it("where the agent may not read it in its file", async () => {
    const backend = new MemoryBackend();
    const heard: unknown[] = [];
    const { result } = await turn({
      backend,
      permissions: [
        { operations: ["read"], paths: ["/project/**"] },
        { operations: ["read"], paths: ["/**"], mode: "deny" },
      ],
      onError: (error) => heard.push(error),
    });
    expect(result).toBe(LARGE);
    expect(await paths(backend)).toEqual([]);
    expect(heard).toEqual([expect.objectContaining({ message: expect.stringMatching("read") })]);
  });

  it("where the agent has no tool to read it with", async () => {
    const backend = new MemoryBackend();
    const { result, model } = await turn(
      { backend, tools: ["write_file"], humanMessageTokenLimitBeforeEvict: 1000 },
      LARGE,
      LARGE,
    );
    expect(result).toBe(LARGE);
    expect(model.received[0]?.[0]?.text).toBe(LARGE);
    expect(await paths(backend)).toEqual([]);
  });

  it("where its backend cannot be had", async () => {
    let calls = 0;
    const heard: unknown[] = [];
    const down = new Error("db is down");
    const { result, last } = await turn({
      backend: () => {
        if (++calls === 2) throw down;
        return new MemoryBackend();
      },
      onError: (error, { tool: name }) => heard.push([error, name]),
    });
    expect([result, last]).toEqual([LARGE, "finished"]);
    expect(heard).toEqual([[down, "big"]]);
  });
});

it("a large result is moved into the state through a backend of deepagents", async () => {
  const { result, files } = await turn({ backend: new PeerState() });
  const [path = "none"] = files;
  expect(path).toMatch(/^\/large_tool_results\/big-/);
  expect(result).toContain(path);
});

describe("a tokenizer", () => {
  it.each([
    [
      "that throws",
      () => {
        throw new Error("special token");
      },
    ],
    ["that answers no number", () => Promise.resolve(1) as never],
  ])("%s is replaced by an estimate, and reported once", async (_, tokenCounter) => {
    const backend = new MemoryBackend();
    const heard: string[] = [];
    const { result, last, model } = await turn(
      {
        backend,
        tokenCounter,
        toolTokenLimitBeforeEvict: 20_000,
        humanMessageTokenLimitBeforeEvict: 40_000,
        onError: (_error, { tool: name }) => heard.push(name),
      },
      LARGE,
      LARGE,
    );
    expect(result).toContain("/large_tool_results/big-");
    expect(model.received[0]?.[0]?.text).toContain("/large_tool_results/message-");
    expect(last).toBe("finished");
    expect(heard).toEqual(["tokenCounter"]);
  });
});

it("a human message is saved once, however small the limit", async () => {
  const backend = new MemoryBackend();
  const { model } = await turn(
    { backend, humanMessageTokenLimitBeforeEvict: 500 },
    "small",
    "words ".repeat(2000),
  );
  const [path, ...more] = await paths(backend);
  expect(more).toEqual([]);
  for (const messages of model.received) expect(messages[0]?.text).toContain(path);
});

it.each(["tree", "stat", "read_files", "copy_file"])(
  "a large result of the user's own tool named %s is moved to a file",
  async (name) => {
    const backend = new MemoryBackend();
    const { result } = await turn({ backend }, LARGE, "go", name);
    expect(result).toContain(`/large_tool_results/${name}-`);
    expect(await paths(backend)).toHaveLength(1);
  },
);
