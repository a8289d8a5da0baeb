import {
  type Filesystem,
  type Caller,
  currentCaller,
  MemoryBackend,
  MemoryVolume,
} from "@fs/protocol";
import { VolumeBackend, type ListQuery, type VolumeEntry } from "@fs/protocol/author";
import { createFilesystemMiddleware } from "@fs/middleware";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { callTools, runTurn } from "./support/run.js";
import { ScriptedModel } from "./support/scripted-model.js";

async function seeded(files: Record<string, string>): Promise<MemoryBackend> {
  const backend = new MemoryBackend();
  for (const [path, content] of Object.entries(files)) await backend.write(path, content);
  return backend;
}

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

describe("the tools in a real agent", () => {
  it("creates, reads, edits, finds and deletes a file", async () => {
    const backend = new MemoryBackend();
    const results = await callTools(
      { backend },
      { name: "write_file", args: { file_path: "/docs/a.md", content: "alpha\nbeta\n" } },
      { name: "read_file", args: { file_path: "/docs/a.md" } },
      {
        name: "edit_file",
        args: { file_path: "/docs/a.md", old_string: "beta", new_string: "gamma" },
      },
      { name: "ls", args: {} },
      { name: "glob", args: { pattern: "**/*.md" } },
      { name: "grep", args: { pattern: "gamma", output_mode: "content" } },
      { name: "delete", args: { file_path: "/docs/a.md" } },
    );
    expect(results.map((result) => result.text)).toEqual([
      "Wrote /docs/a.md",
      "1→alpha\n2→beta",
      "Edited /docs/a.md (1 replaced)",
      "/docs/",
      "/docs/a.md",
      "/docs/a.md\n2:gamma",
      "Deleted /docs/a.md",
    ]);
    expect(results.every((result) => result.status === "success")).toBe(true);
    expect((await backend.read("/docs/a.md")).code).toBe("not_found");
  });

  it("gives no size of a directory, even where the backend says zero", async () => {
    class Sized extends MemoryBackend {
      override async ls(path: string): ReturnType<MemoryBackend["ls"]> {
        const { files = [] } = await super.ls(path);
        return { files: files.map((file) => ({ size: 0, ...file })) };
      }
    }
    const backend = new Sized();
    await backend.write("/docs/a.md", "alpha");
    await backend.write("/b.md", "beta");
    const [listed] = await callTools({ backend }, { name: "ls", args: {} });
    expect(listed?.text).toBe("/b.md (4 B)\n/docs/");
  });

  it("keeps three parallel edits of one file", async () => {
    const backend = await seeded({ "/list.txt": "one\ntwo\nthree\n" });
    const { results } = await runTurn({ backend }, [
      () => [{ name: "read_file", args: { file_path: "/list.txt" } }],
      () =>
        ["one", "two", "three"].map((word) => ({
          name: "edit_file",
          args: { file_path: "/list.txt", old_string: word, new_string: word.toUpperCase() },
        })),
    ]);
    expect(results.map((result) => result.status)).toEqual(Array(4).fill("success"));
    expect((await backend.read("/list.txt")).content).toBe("ONE\nTWO\nTHREE\n");
  });

  it("understands what weak models write", async () => {
    const backend = await seeded({ "/a.txt": lines(9) });
    const results = await callTools(
      { backend },
      { name: "read_file", args: { path: "/a.txt", offset: "2", limit: "1" } },
      { name: "write_file", args: { path: "/empty.txt" } },
      { name: "grep", args: { pattern: "line", path: null, max_count: "3", output_mode: "count" } },
      { name: "edit_file", args: { path: "/a.txt", old_string: "line 3\n", replace_all: "false" } },
    );
    expect(results.map((result) => result.text)).toEqual([
      "3→line 3\n[lines 3–3 of 9, continue at offset 3]",
      "Wrote /empty.txt",
      "/a.txt: 3\n[more than 3 matches; narrow the search, or raise max_count]",
      "Edited /a.txt (1 replaced)",
    ]);
    expect((await backend.read("/empty.txt")).content).toBe("");
  });

  it("answers every failure with an error message and goes on", async () => {
    const backend = await seeded({ "/a.txt": "x\n" });
    const { results, messages } = await runTurn({ backend }, [
      () => [
        { name: "read_file", args: { file_path: "/missing" } },
        { name: "read_file", args: { file_path: "relative" } },
        { name: "read_file", args: {} },
        { name: "read_file", args: { file_path: 7 } },
        { name: "ls", args: { path: "/a.txt" } },
        { name: "glob", args: { pattern: "[" } },
        { name: "grep", args: { pattern: "" } },
        { name: "grep", args: { pattern: "x", output_mode: "everything" } },
        { name: "no_such_tool", args: {} },
        { name: "ls", args: "nonsense" },
        { name: "read_file", args: null },
        { name: "write_file", args: ["/a"] },
        { name: "multi_edit", args: { file_path: "/a.txt", edits: "[broken" } },
      ],
      () => "finished",
    ]);
    expect(results.map((result) => result.status)).toEqual(Array(13).fill("error"));
    expect(messages.at(-1)?.text).toBe("finished");
  });

  it("survives a backend that throws, and repeats nothing of the error", async () => {
    const backend = new MemoryBackend();
    const broken: Filesystem = new Proxy(backend, {
      get: (target, key) =>
        key === "grep"
          ? () => {
              throw new Error("EACCES: /srv/secret/vault");
            }
          : Reflect.get(target, key),
    });
    const heard: unknown[] = [];
    const { results, messages } = await runTurn(
      { backend: broken, onError: (error) => heard.push(error) },
      [() => [{ name: "grep", args: { pattern: "x" } }], () => "finished"],
    );
    expect(results[0]?.status).toBe("error");
    expect(results[0]?.text).not.toContain("secret");
    expect(heard).toHaveLength(1);
    expect(messages.at(-1)?.text).toBe("finished");
  });

  it("survives a backend that throws nothing at all", async () => {
    const broken: Filesystem = new Proxy(new MemoryBackend(), {
      get: (target, key) =>
        key === "grep" ? () => Promise.reject(null) : Reflect.get(target, key), // oxlint-disable-line prefer-promise-reject-errors
    });
    const { results, messages } = await runTurn({ backend: broken }, [
      () => [{ name: "grep", args: { pattern: "x" } }],
      () => "finished",
    ]);
    expect(results[0]).toMatchObject({ status: "error", artifact: { code: "unavailable" } });
    expect(messages.at(-1)?.text).toBe("finished");
  });

  it("says who calls, with the thread and the run", async () => {
    const callers: Caller[] = [];
    const backend: Filesystem = new Proxy(new MemoryBackend(), {
      get: (target, key) => {
        if (key === "ls") callers.push(currentCaller());
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const model = new ScriptedModel([() => [{ name: "ls", args: {}, id: "c1" }], () => "done"]);
    const agent = createAgent({ model, middleware: [createFilesystemMiddleware({ backend })] });
    const runId = "0b7a3f4e-93f5-4d6b-8d37-0d1f2b5d7f10";
    await agent.invoke(
      { messages: [{ role: "user", content: "go" }] },
      { runId, configurable: { thread_id: "t1", user_id: "ann" } },
    );
    expect(callers.at(-1)).toMatchObject({
      actor: "ann",
      threadId: "t1",
      toolCallId: "c1",
      turnId: expect.any(String),
    });
  });

  it("survives a directory that cannot be read", async () => {
    class Unreadable extends MemoryVolume {
      override async *list(directory: string, query: ListQuery): AsyncGenerator<VolumeEntry> {
        const denied = Object.assign(new Error("EACCES: /srv/secret"), { code: "EACCES" });
        if (query.deep || directory === "/locked") throw denied;
        yield* super.list(directory, query);
      }
    }
    const backend = new VolumeBackend(new Unreadable());
    await backend.write("/locked/a.txt", "a");
    const { results, messages } = await runTurn({ backend }, [
      () => [
        { name: "ls", args: { path: "/locked" } },
        { name: "grep", args: { pattern: "a" } },
        { name: "glob", args: { pattern: "**" } },
        { name: "delete", args: { file_path: "/locked" } },
        { name: "ls", args: { path: "/" } },
      ],
      () => "finished",
    ]);
    expect(results.map(({ status }) => status)).toEqual([...Array(4).fill("error"), "success"]);
    expect(JSON.stringify(results)).not.toContain("secret");
    expect(messages.at(-1)?.text).toBe("finished");
  });

  it("offers execute only where the backend can", async () => {
    const { model, results } = await runTurn({ backend: new MemoryBackend() }, [
      () => [{ name: "execute", args: { command: "true" } }],
    ]);
    const bound = model.bound[0]?.map((tool) => ("name" in tool ? tool.name : ""));
    expect(bound).not.toContain("execute");
    expect(results[0]?.status).toBe("error");
  });
});
