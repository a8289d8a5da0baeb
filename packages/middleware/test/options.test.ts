import { MemoryBackend, type Filesystem } from "@fs/protocol";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { StateBackend as PeerState } from "deepagents";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  ConfigurationError,
  createFilesystemMiddleware,
  estimateTokens,
  FILESYSTEM_TOOL_NAMES,
  filesystemPrompt,
} from "@fs/middleware";
import { callTools, runTurn } from "./support/run.js";
import { ScriptedModel } from "./support/scripted-model.js";

const shell = (): Filesystem =>
  Object.assign(new MemoryBackend(), {
    id: "shell",
    execute: (command: string, options: { timeout?: number } = {}) => ({
      output: `${command} ${options.timeout ?? "default"}`,
      exitCode: command === "false" ? 1 : 0,
      truncated: false,
    }),
  });

const boundNames = (model: ScriptedModel): string[] =>
  (model.bound[0] ?? []).map((bound) => ("name" in bound ? String(bound.name) : ""));

describe("which tools there are", () => {
  it("are those the backend can", async () => {
    const { model } = await runTurn({ backend: shell() }, []);
    expect(boundNames(model)).toEqual([...FILESYSTEM_TOOL_NAMES]);
    const plain = await runTurn({ backend: new PeerState() }, []);
    expect(boundNames(plain.model)).not.toContain("execute");
    expect(boundNames(plain.model)).not.toContain("multi_edit");
  });

  it("may be those beside the usual ones, where they are named", async () => {
    const backend = new MemoryBackend();
    await backend.write("/a", "one\n");
    const { model, results } = await runTurn(
      { backend, tools: ["stat", "tree", "read_files", "copy_file", "edit_file"] },
      [
        () => [{ name: "read_files", args: { file_paths: ["/a"] } }],
        () => [
          { name: "edit_file", args: { path: "/a", old_string: "one", new_string: "two" } },
          { name: "tree", args: {} },
          { name: "stat", args: { path: "/a" } },
        ],
      ],
    );
    expect(boundNames(model)).toEqual(["tree", "stat", "read_files", "edit_file", "copy_file"]);
    expect(results.map(({ status }) => status)).toEqual(Array(4).fill("success"));
  });

  it("are known at the first call when a factory makes the backend", async () => {
    const { model } = await runTurn({ backend: () => new MemoryBackend() }, []);
    expect(boundNames(model)).not.toContain("execute");
    expect(boundNames(model)).toContain("multi_edit");
  });

  it("are only the allowed ones, and the others cannot be called", async () => {
    const backend = new MemoryBackend();
    const { model, results } = await runTurn({ backend, tools: ["read_file", "ls"] }, [
      () => [{ name: "write_file", args: { file_path: "/a", content: "a" } }],
    ]);
    expect(boundNames(model)).toEqual(["ls", "read_file"]);
    expect(results[0]?.status).toBe("error");
    expect((await backend.read("/a")).code).toBe("not_found");
    // @ts-expect-error: no such tool.
    expect(() => createFilesystemMiddleware({ tools: ["cat"] })).toThrow(ConfigurationError);
  });

  it("collide with no other tool", async () => {
    const grep = tool(async () => "mine", {
      name: "grep",
      description: "Mine",
      schema: z.object({}),
    });
    expect(() => createFilesystemMiddleware({ otherTools: [grep] })).toThrow(/named 'grep'/);
    const model = new ScriptedModel([]);
    const agent = createAgent({ model, tools: [grep], middleware: [createFilesystemMiddleware()] });
    await expect(agent.invoke({ messages: [new HumanMessage("x")] })).rejects.toThrow(
      /named 'grep'/,
    );
    expect(model.received).toEqual([]);
    const allowed = createFilesystemMiddleware({ otherTools: [grep], tools: ["ls", "read_file"] });
    const other = createAgent({
      model: new ScriptedModel([]),
      tools: [grep],
      middleware: [allowed],
    });
    await expect(other.invoke({ messages: [new HumanMessage("x")] })).resolves.toBeDefined();
  });

  it("take other descriptions, and cost few tokens", async () => {
    const { model } = await runTurn(
      { backend: shell(), customToolDescriptions: { ls: "Mine." } },
      [],
    );
    const schemas = (model.bound[0] ?? []).map((bound) =>
      convertToOpenAITool(bound as Parameters<typeof convertToOpenAITool>[0]),
    );
    expect(schemas[0]?.function.description).toBe("Mine.");
    expect(estimateTokens(JSON.stringify(schemas))).toBeLessThan(1600);
    for (const { function: definition } of schemas) {
      // Strict providers want every property required and none beside them.
      const parameters = definition.parameters as {
        properties: object;
        required: string[];
        additionalProperties: boolean;
      };
      expect(parameters.required).toEqual(Object.keys(parameters.properties));
      expect(parameters.additionalProperties).toBe(false);
    }
  });
});

describe("an option", () => {
  it("that does not exist, or is of the wrong type, is refused at construction", () => {
    for (const wrong of [
      { permission: [] },
      { tool: ["ls"] },
      { answerTokenLimit: "many" },
      { maxExecuteTimeout: -1 },
      { readBeforeEdit: "no" },
      null,
      [],
      "memory",
    ])
      expect(() => createFilesystemMiddleware(wrong as never)).toThrow(TypeError);
    for (const fine of [{ tools: null, grepMaxCount: null }, {}, undefined])
      expect(createFilesystemMiddleware(fine).name).toBe("FilesystemMiddleware");
  });

  it.each([
    { permissions: { operations: ["read"], paths: ["/secrets/**"], mode: "deny" } },
    { permissions: "/secrets/**" },
    { permissions: [null] },
    { toolTokenLimitBeforeEvict: Number.NaN },
    { toolTokenLimitBeforeEvict: "many" },
    { humanMessageTokenLimitBeforeEvict: -1 },
    { customToolDescriptions: { read: "x" } },
    { customToolDescriptions: { ls: 5 } },
    { customToolDescriptions: ["x"] },
    { systemPrompt: 5 },
    { artifactsRoot: 5 },
    { tools: "ls" },
    { otherTools: {} },
  ])("%j is refused with a sentence that names it", (wrong) => {
    const [name = ""] = Object.keys(wrong);
    const make = (): unknown => createFilesystemMiddleware(wrong as never);
    expect(make).toThrow(TypeError);
    expect(make).toThrow(`'${name}' must be `);
  });

  it("that is null is the default", async () => {
    const nothing = {
      systemPrompt: null,
      customToolDescriptions: null,
      tools: null,
      otherTools: null,
      permissions: null,
      artifactsRoot: null,
      staging: null,
    };
    const backend = new MemoryBackend();
    const [result] = await callTools({ ...nothing, backend }, { name: "ls", args: {} });
    expect(result?.status).toBe("success");
  });
});

describe("the system prompt", () => {
  it("is the agent's own unless one is given", async () => {
    const model = new ScriptedModel([]);
    const middleware = [createFilesystemMiddleware({ backend: new MemoryBackend() })];
    await createAgent({ model, middleware, systemPrompt: "Own." }).invoke({
      messages: [new HumanMessage("x")],
    });
    expect(model.received[0]?.[0]?.text).toBe("Own.");
  });

  it("mentions the tools there are and no other", async () => {
    const model = new ScriptedModel([]);
    const middleware = [
      createFilesystemMiddleware({
        backend: new MemoryBackend(),
        tools: ["ls", "read_file", "execute"],
        systemPrompt: filesystemPrompt,
      }),
    ];
    await createAgent({ model, middleware, systemPrompt: "Own." }).invoke({
      messages: [new HumanMessage("x")],
    });
    const prompt = model.received[0]?.[0];
    expect(SystemMessage.isInstance(prompt)).toBe(true);
    expect(prompt?.text.startsWith("Own.")).toBe(true);
    expect(prompt?.text).toContain("- read_file");
    expect(prompt?.text).not.toMatch(/execute|grep|write_file/);
  });
});

describe("execute", () => {
  it("hands on the timeout up to its limit, and the exit code in the artifact", async () => {
    const results = await callTools(
      { backend: shell(), maxExecuteTimeout: 60 },
      { name: "execute", args: { command: "true" } },
      { name: "execute", args: { command: "true", timeout: 0 } },
      { name: "execute", args: { command: "false", timeout: "30" } },
      { name: "execute", args: { command: "true", timeout: 61 } },
    );
    const unbounded = await callTools(
      { backend: shell(), maxExecuteTimeout: Infinity },
      { name: "execute", args: { command: "true", timeout: 0 } },
    );
    expect(results.map((result) => result.text)).toEqual([
      "true default\n[exit code 0]",
      "Error: 'timeout' must be above 0 and at most 60 seconds.",
      "false 30\n[exit code 1]",
      "Error: 'timeout' must be above 0 and at most 60 seconds.",
    ]);
    expect(unbounded[0]?.text).toBe("true 0\n[exit code 0]");
    expect(results[2]?.artifact).toMatchObject({ exitCode: 1 });
  });

  it("is described as the backend describes it", async () => {
    const backend = Object.assign(shell(), { executeDescription: "Files are in $HOME/files." });
    const { model } = await runTurn({ backend }, []);
    const bound = (model.bound[0] ?? []).find((one) => Reflect.get(one, "name") === "execute");
    expect(bound).toMatchObject({ description: "Files are in $HOME/files." });
  });
});
