import { MemoryBackend } from "@fs/protocol";
import { HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { createFilesystemMiddleware, estimateTokens } from "@fs/middleware";
import { callTools } from "./support/run.js";
import { ScriptedModel } from "./support/scripted-model.js";

describe("editing", () => {
  it("needs a file that the conversation knows, thread by thread", async () => {
    const backend = new MemoryBackend();
    await backend.write("/a.txt", "one\n");
    const edit = {
      name: "edit_file",
      args: { file_path: "/a.txt", old_string: "one", new_string: "two" },
    };
    const agent = createAgent({
      model: new ScriptedModel([
        () => [{ name: "read_file", args: { file_path: "//a.txt" } }],
        () => "read in thread 1",
        () => [edit],
        () => "refused in thread 2",
        () => [edit],
        () => "done in thread 1",
      ]),
      middleware: [createFilesystemMiddleware({ backend })],
      checkpointer: new MemorySaver(),
    });
    const ask = async (thread: string) => {
      const config = { configurable: { thread_id: thread } };
      const { messages } = await agent.invoke({ messages: [new HumanMessage("go")] }, config);
      return messages.at(-2);
    };
    await ask("1");
    expect(await ask("2")).toMatchObject({
      status: "error",
      content: "Error: Read /a.txt with read_file before editing it.",
    });
    expect(await ask("1")).toMatchObject({ status: "success" });
    expect((await backend.read("/a.txt")).content).toBe("two\n");
  });

  it("is free with the option off, and after a write", async () => {
    const backend = new MemoryBackend();
    await backend.write("/a.txt", "one\n");
    const args = { file_path: "/a.txt", old_string: "one", new_string: "two" };
    const [free] = await callTools({ backend, readBeforeEdit: false }, { name: "edit_file", args });
    expect(free?.status).toBe("success");
    const results = await callTools(
      { backend },
      { name: "write_file", args: { file_path: "/b.txt", content: "one" } },
      { name: "edit_file", args: { ...args, file_path: "/b.txt" } },
    );
    expect(results.map((result) => result.status)).toEqual(["success", "success"]);
  });

  it("puts a unified diff into the artifact", async () => {
    const backend = new MemoryBackend();
    await backend.write("/a.txt", "one\r\ntwo\r\nthree\r\n");
    const edits = [
      { old_string: "two\nthree", new_string: "2\nthree" },
      { old_string: "one", new_string: "1" },
    ];
    const [, result] = await callTools(
      { backend },
      { name: "read_file", args: { file_path: "/a.txt" } },
      { name: "multi_edit", args: { file_path: "/a.txt", edits: JSON.stringify(edits) } },
    );
    expect(result?.artifact).toMatchObject({ path: "/a.txt", occurrences: 2 });
    const diff: unknown = Reflect.get(Object(result?.artifact), "diff");
    expect(
      String(diff)
        .split(/\r?\n/)
        .filter((line) => /^[-+ ][^-+]/.test(line)),
    ).toEqual(["-one", "-two", "+1", "+2", " three"]);
    const off = await callTools(
      { backend, editDiff: false, readBeforeEdit: false },
      { name: "edit_file", args: { file_path: "/a.txt", old_string: "1", new_string: "one" } },
    );
    expect(off[0]?.artifact).not.toHaveProperty("diff");
  });
});

describe("searching and listing", () => {
  const seeded = async (): Promise<MemoryBackend> => {
    const backend = new MemoryBackend();
    await backend.write("/src/a.ts", "import x\nfoo()\nbar()\nfoo()\n");
    await backend.write("/src/b.ts", "Foo()\n");
    return backend;
  };

  it("answers grep in three forms", async () => {
    const backend = await seeded();
    const results = await callTools(
      { backend },
      { name: "grep", args: { pattern: "foo" } },
      { name: "grep", args: { pattern: "foo", output_mode: "count", ignore_case: true } },
      { name: "grep", args: { pattern: "foo", output_mode: "content", context: 1 } },
      { name: "grep", args: { pattern: "foo.*bar" } },
      { name: "grep", args: { pattern: "absent" } },
    );
    expect(results.map((result) => result.text)).toEqual([
      "/src/a.ts",
      "/src/a.ts: 2\n/src/b.ts: 1",
      "/src/a.ts\n1-import x\n2:foo()\n3-bar()\n4:foo()",
      expect.stringContaining("not as a regular expression"),
      "No matches in /.",
    ]);
  });

  it("cuts what is too much, with a note", async () => {
    const backend = new MemoryBackend();
    for (let n = 0; n < 300; n++)
      await backend.write(`/many/file-${n}.txt`, `match ${"m".repeat(2000)}\n`);
    const results = await callTools(
      { backend, answerTokenLimit: 200, grepMaxCount: 50 },
      { name: "ls", args: { path: "/many" } },
      { name: "glob", args: { pattern: "**/*.txt" } },
      { name: "grep", args: { pattern: "match", output_mode: "content" } },
    );
    expect(results[0]?.text).toMatch(/\[\d+ of 300 entries shown/);
    expect(results[1]?.text).toMatch(/\[\d+ of 300 files shown/);
    expect(results[2]?.text).toMatch(/line of 2006 characters clipped/);
    expect(results[2]?.text).toMatch(/more than 50 matches/);
    for (const result of results) expect(estimateTokens(result.text)).toBeLessThan(300);
  });
});
