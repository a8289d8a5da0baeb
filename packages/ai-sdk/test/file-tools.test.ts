import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { approveMutations, fileTools } from "@fs/ai-sdk";
import { FilesystemBackend } from "@fs/disk";
import {
  type AuditEntry,
  CompositeBackend,
  type Filesystem,
  MemoryBackend,
  withAudit,
} from "@fs/protocol";
import { generateText, stepCountIs, type ToolSet } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { afterAll, describe, expect, expectTypeOf, it } from "vitest";

const base = mkdtempSync(join(tmpdir(), "fs-ai-sdk-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A model that calls these tools, one in each step, and then says that it is done. */
function scripted(calls: ReadonlyArray<readonly [toolName: string, input: object]>) {
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 };
  const usage = { inputTokens: tokens, outputTokens: tokens };
  let step = 0;
  return new MockLanguageModelV4({
    doGenerate: async () => {
      const call = calls[step++];
      if (call === undefined)
        return {
          content: [{ type: "text", text: "done" }],
          finishReason: { unified: "stop", raw: undefined },
          usage,
          warnings: [],
        };
      const [toolName, input] = call;
      const toolCallId = `call-${step}`;
      return {
        content: [{ type: "tool-call", toolCallId, toolName, input: JSON.stringify(input) }],
        finishReason: { unified: "tool-calls", raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
}

/** What the model was sent as the results of its calls. */
function resultsSent(model: MockLanguageModelV4): unknown[] {
  const prompt = model.doGenerateCalls.at(-1)?.prompt ?? [];
  return prompt.flatMap(({ role, content }) =>
    role === "tool" ? content.map((part) => ("output" in part ? part.output : part)) : [],
  );
}

const backends: Record<string, () => Filesystem> = {
  memory: () => new MemoryBackend(),
  disk: () => new FilesystemBackend({ rootDir: mkdtempSync(join(base, "disk-")) }),
  composite: () => new CompositeBackend(new MemoryBackend(), { "/project/": new MemoryBackend() }),
};

for (const [name, create] of Object.entries(backends)) {
  it(`runs an agent of the AI SDK over ${name}`, async () => {
    const backend = create();
    await backend.uploadFiles?.([["/project/pixel.png", PIXEL]]);
    const model = scripted([
      ["write_file", { path: "/project/a.md", content: "one\ntwo\n" }],
      ["edit_file", { path: "/project/a.md", old_string: "two", new_string: "2" }],
      ["read_file", { path: "/project/a.md" }],
      ["read_file", { path: "/project/pixel.png" }],
      ["read_file", { path: "/project/none.md" }],
    ]);
    const tools = fileTools(backend);
    const { text, steps } = await generateText({
      model,
      tools,
      prompt: "Work.",
      stopWhen: stepCountIs(9),
    });
    expect(text).toBe("done");
    expect((await backend.read("/project/a.md")).content).toBe("one\n2\n");
    const [, , read, image, missing] = resultsSent(model);
    expect(read).toMatchObject({ type: "text", value: expect.stringContaining("one") });
    expect(image).toMatchObject({
      type: "content",
      value: expect.arrayContaining([
        expect.objectContaining({
          type: "file",
          mediaType: "image/png",
          data: { type: "data", data: PIXEL.toString("base64") },
        }),
      ]),
    });
    expect(missing).toMatchObject({
      type: "error-text",
      value: expect.stringContaining("was not found"),
    });
    const outputs = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output));
    expect(outputs.at(-1)).toMatchObject({ failed: true, code: "not_found" });
    expect(JSON.parse(JSON.stringify(outputs))).toEqual(outputs);
  });
}

describe("the tools", () => {
  it("are asked about before they change anything", async () => {
    const backend = new MemoryBackend();
    const tools = fileTools(backend);
    const approval = approveMutations({ ...tools, weather: {} });
    expect(Object.keys(approval)).toEqual(
      expect.arrayContaining(["write_file", "edit_file", "delete", "move_file"]),
    );
    expect(Object.keys(approval)).not.toContain("read_file");
    expect(Object.keys(approval)).not.toContain("weather");
    const { content } = await generateText({
      model: scripted([["write_file", { path: "/a.md", content: "x" }]]),
      tools,
      toolApproval: approveMutations(tools),
      prompt: "Write.",
      stopWhen: stepCountIs(3),
    });
    expect(content.map(({ type }) => type)).toContain("tool-approval-request");
    expect((await backend.read("/a.md")).code).toBe("not_found");
  });

  it("know only what their conversation has read", async () => {
    const backend = new MemoryBackend();
    await backend.write("/a.md", "one");
    const model = scripted([["edit_file", { path: "/a.md", old_string: "one", new_string: "1" }]]);
    const tools = fileTools(backend);
    await generateText({ model, tools, prompt: "Edit.", stopWhen: stepCountIs(3) });
    expect(resultsSent(model)).toMatchObject([{ type: "error-text" }]);
    expect((await backend.read("/a.md")).content).toBe("one");
  });

  it("pass on the signal and say for whom they call", async () => {
    const entries: AuditEntry[] = [];
    const backend = withAudit(new MemoryBackend(), (entry) => void entries.push(entry));
    const tools = fileTools(backend, { caller: { actor: "ada", threadId: "t1" } });
    const options = { messages: [], context: {}, toolCallId: "call-7" };
    const call = { path: "/a.md", content: "x" };
    await tools.write_file?.execute?.(call, options);
    for (const phase of ["begin", "end"])
      expect(entries).toContainEqual(
        expect.objectContaining({ phase, actor: "ada", threadId: "t1", toolCallId: "call-7" }),
      );
    const abortSignal = AbortSignal.abort();
    const aborted = { ...options, abortSignal };
    const answer = await tools.write_file?.execute?.({ ...call, path: "/b.md" }, aborted);
    expect(answer).toMatchObject({ failed: true, code: "aborted" });
  });

  it("are those that were chosen, and fit the types of the AI SDK", () => {
    const backend = new MemoryBackend();
    expect(Object.keys(fileTools(backend, { readOnly: true }))).not.toContain("write_file");
    expect(Object.keys(fileTools(backend, { names: ["ls", "grep"] }))).toEqual(["ls", "grep"]);
    const tools = fileTools(backend);
    expectTypeOf(tools).toExtend<Partial<ToolSet>>();
    expect(() => fileTools(backend, { names: ["rm" as "ls"] })).toThrow(TypeError);
    expect(() => fileTools(backend, { readonly: true } as object)).toThrow(TypeError);
    expect(() => fileTools(backend, { settings: { answerTokens: -1 } })).toThrow(TypeError);
  });
});
