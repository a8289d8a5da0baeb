import { MemoryBackend, type Filesystem } from "@fs/protocol";
import { inputSchemaOf, outputSchemaOf, TOOLS, toolsFor, toolSettings } from "@fs/tools";
import { describe, expect, it } from "vitest";
import { seeded, session } from "./support.js";

describe("any call", () => {
  it("is answered, whatever the backend throws and the operator's listener does", async () => {
    for (const thrown of [null, undefined, "text", 7, new Error("secret /srv/x"), {}]) {
      const backend: Filesystem = new Proxy(new MemoryBackend(), {
        get: (target, key) =>
          key === "ls"
            ? () => {
                throw thrown;
              }
            : Reflect.get(target, key),
      });
      const heard: unknown[] = [];
      const onError = (error: unknown): void => {
        heard.push(error);
      };
      const answer = await session(backend, { onError }).call("ls", {});
      expect(answer).toMatchObject({ failed: true, code: "unavailable" });
      expect(JSON.stringify(answer)).not.toContain("secret");
      expect(heard).toEqual([thrown]);
    }
  });

  it("with arguments that are none says which", async () => {
    const { call, text } = session(await seeded({}));
    for (const args of [undefined, null, 7, [], "x", {}, { file_path: {} }])
      expect((await call("read_file", args)).code).toBe("invalid_argument");
    expect(await text("read_file", {})).toContain("'file_path'");
  });

  it("answers what its output schema says", async () => {
    const backend = await seeded({ "/a": "one\n" });
    const { call } = session(backend, { structuredText: true });
    const calls = {
      ls: {},
      tree: {},
      stat: { path: "/a" },
      read_file: { path: "/a" },
      read_files: { paths: ["/a"] },
      glob: { pattern: "*" },
      grep: { pattern: "o" },
      copy_file: { from: "/a", to: "/b" },
      move_file: { from: "/b", to: "/c" },
      edit_file: { path: "/a", old_string: "one", new_string: "two" },
      multi_edit: { path: "/a", edits: [{ old_string: "two", new_string: "three" }] },
      write_file: { path: "/d", content: "" },
      delete: { path: "/d" },
    } as const;
    for (const tool of toolsFor(backend)) {
      const answer = await call(tool.name, Reflect.get(calls, tool.name));
      const { success } = tool.outputSchema.safeParse(answer.structured);
      expect([tool.name, answer.failed, success]).toEqual([tool.name, undefined, true]);
      for (const name of outputSchemaOf(tool).required ?? [])
        expect(answer.structured).toHaveProperty(name);
    }
    const read = await call("read_file", { path: "/a" });
    expect(read.structured).toMatchObject({ content: "three\n", totalLines: 1 });
  });
});

describe("the choice of tools", () => {
  it("is what the backend can, and only readers where nothing may change", async () => {
    const backend = await seeded({});
    expect(toolsFor(backend).map(({ name }) => name)).not.toContain("execute");
    expect(toolsFor(backend)).toHaveLength(13);
    expect(toolsFor(backend, { readOnly: true })).toHaveLength(7);
    expect(toolsFor(backend, { names: ["grep", "ls"] }).map(({ name }) => name)).toEqual([
      "ls",
      "grep",
    ]);
  });
});

describe("execute", () => {
  it("hands on no time-out, one in seconds, and one of none only where there is no maximum", async () => {
    const heard: unknown[] = [];
    const backend = Object.assign(new MemoryBackend(), {
      id: "shell",
      executeDescription: "Runs in /srv.",
      execute: (_command: string, options: object) => {
        heard.push(options);
        return { output: "", exitCode: 0, truncated: false };
      },
    });
    const { call, text } = session(backend);
    await call("execute", { command: "true" });
    await call("execute", { command: "true", timeout: null });
    await call("execute", { command: "true", timeout: "1.5" });
    for (const timeout of [-1, 0, "0", 3601, "soon"])
      expect((await call("execute", { command: "true", timeout })).code).toBe("invalid_argument");
    expect(await text("execute", { command: "true", timeout: 0 })).toBe(
      "Error: 'timeout' must be above 0 and at most 3600 seconds.",
    );
    const unbounded = session(backend, { maxExecuteTimeout: Infinity });
    await unbounded.call("execute", { command: "true", timeout: 0 });
    await unbounded.call("execute", { command: "true", timeout: 100_000 });
    expect((await unbounded.call("execute", { command: "true", timeout: -1 })).failed).toBe(true);
    expect(heard).toEqual([{}, {}, { timeout: 1.5 }, { timeout: 0 }, { timeout: 100_000 }]);
    expect(JSON.stringify(inputSchemaOf(TOOLS.execute))).not.toContain("none");
    expect(TOOLS.execute.description).not.toContain("/srv");
  });
});

describe("settings", () => {
  it("that are wrong are refused", () => {
    for (const wrong of [
      { answerTokens: 0 },
      { answerTokens: Infinity },
      { answerTokens: Number.NaN },
      { maxBinaryBytes: "1" },
      { readBeforeEdit: "no" },
      { onError: "log" },
      { answerToken: 1 },
    ])
      expect(() => toolSettings(wrong as never)).toThrow(TypeError);
    expect(toolSettings({ grepMaxCount: Infinity, answerTokens: undefined })).toMatchObject({
      grepMaxCount: Infinity,
      answerTokens: 20_000,
    });
  });
});
