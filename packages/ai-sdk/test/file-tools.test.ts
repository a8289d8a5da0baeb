import { approveMutations, fileTools } from "@fs/ai-sdk";
import { FilesystemBackend } from "@fs/disk";
import { type AuditEntry, CompositeBackend, MemoryBackend, withAudit } from "@fs/protocol";
import { overLocalStorages } from "@fs/test-servers/storages";
import { generateText, stepCountIs, type ToolSet } from "ai";
import { describe, expect, expectTypeOf, it } from "vitest";
import { resultsSent, scripted, worksOver } from "./agents.js";

const backends = { CompositeBackend, FilesystemBackend, MemoryBackend };
overLocalStorages("an agent", backends, "/project/", worksOver);

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
