import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import { memoryHandlers } from "@fs/anthropic";
import { FilesystemBackend } from "@fs/disk";
import { CompositeBackend, type Filesystem, MemoryBackend } from "@fs/protocol";
import { afterAll, describe, expect, it } from "vitest";

const base = mkdtempSync(join(tmpdir(), "fs-anthropic-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

type Handlers = ReturnType<typeof memoryHandlers>;
type Command = { [Name in keyof Handlers]: Parameters<Handlers[Name]>[0] };

/** A command without the name that the API gives it twice. */
async function call<Name extends keyof Handlers>(
  handlers: Handlers,
  command: Name,
  input: Omit<Command[Name], "command">,
): Promise<unknown> {
  const handler = handlers[command] as (input: unknown) => unknown;
  return Reflect.apply(handler, handlers, [{ command, ...input }]);
}

const backends: Record<string, () => Filesystem> = {
  memory: () => new MemoryBackend(),
  disk: () => new FilesystemBackend({ rootDir: mkdtempSync(join(base, "disk-")) }),
  composite: () =>
    new CompositeBackend(new MemoryBackend(), { "/memories/shared/": new MemoryBackend() }),
};

for (const [name, create] of Object.entries(backends)) {
  describe(`the memory over ${name}`, () => {
    it("answers every command with the texts of the reference", async () => {
      const ours = memoryHandlers(create());
      const theirs = await BetaLocalFilesystemMemoryTool.init(mkdtempSync(join(base, "ref-")));
      const both = async <Name extends keyof Handlers>(
        command: Name,
        input: Omit<Command[Name], "command">,
      ): Promise<void> => {
        const said = (handlers: Handlers): Promise<unknown> =>
          call(handlers, command, input).catch((error: Error) => `! ${error.message}`);
        expect([command, input, await said(ours)]).toEqual([command, input, await said(theirs)]);
      };
      const path = "/memories/shared/notes.md";
      await both("view", { path });
      await both("create", { path, file_text: "one\ntwo\nthree\n" });
      await both("create", { path, file_text: "again" });
      await both("view", { path });
      await both("view", { path, view_range: [2, 3] });
      await both("view", { path, view_range: [2, -1] });
      await both("str_replace", { path, old_str: "two", new_str: "$& 2" });
      await both("str_replace", { path, old_str: "four", new_str: "4" });
      await both("str_replace", { path, old_str: "e", new_str: "E" });
      await both("insert", { path, insert_line: 0, insert_text: "zero\n" });
      await both("insert", { path, insert_line: 99, insert_text: "far" });
      await both("insert", { path: "/memories/none.md", insert_line: 0, insert_text: "x" });
      await both("view", { path });
      await both("create", { path: "/memories/b.md", file_text: "b" });
      await both("rename", { old_path: path, new_path: "/memories/b.md" });
      await both("rename", { old_path: path, new_path: "/memories/deep/er/c.md" });
      await both("rename", { old_path: path, new_path: "/memories/d.md" });
      await both("delete", { path: "/memories/b.md" });
      await both("delete", { path: "/memories/b.md" });
      await both("delete", { path: "/memories" });
      await both("view", { path: "/elsewhere" });
    });

    it("keeps all of 20 replacements that run together, in two instances", async () => {
      const backend = create();
      const instances = [memoryHandlers(backend), memoryHandlers(backend)];
      const path = "/memories/counters.md";
      const lines = Array.from({ length: 20 }, (_, index) => `[${index}]`);
      await backend.write(path, lines.join("\n"));
      const answers = await Promise.all(
        lines.map((line, index) =>
          call(instances[index % 2]!, "str_replace", { path, old_str: line, new_str: `${line}!` }),
        ),
      );
      expect(answers).toHaveLength(20);
      const { content } = await backend.read(path);
      expect(content).toBe(lines.map((line) => `${line}!`).join("\n"));
    });
  });
}

describe("the probes beside the reference", () => {
  const probes: Record<
    string,
    (
      handlers: Handlers,
      raw: { get(): Promise<Buffer>; put(bytes: Uint8Array): Promise<void> },
    ) => Promise<boolean>
  > = {
    "20 replacements at once": async (handlers, file) => {
      const lines = Array.from({ length: 20 }, (_, index) => `[${index}]`);
      await file.put(Buffer.from(lines.join("\n")));
      await Promise.all(
        lines.map((line) =>
          call(handlers, "str_replace", {
            path: "/memories/f",
            old_str: line,
            new_str: `${line}!`,
          }),
        ),
      );
      return (await file.get()).toString() === lines.map((line) => `${line}!`).join("\n");
    },
    "an old_str of two lines": async (handlers, file) => {
      await file.put(Buffer.from("a\nb\nc\n"));
      await call(handlers, "str_replace", { path: "/memories/f", old_str: "a\nb", new_str: "x" });
      return (await file.get()).toString() === "x\nc\n";
    },
    "two occurrences on one line": async (handlers, file) => {
      await file.put(Buffer.from("aa-aa\n"));
      const refused = call(handlers, "str_replace", {
        path: "/memories/f",
        old_str: "aa",
        new_str: "b",
      });
      return refused.then(
        () => false,
        async () => (await file.get()).toString() === "aa-aa\n",
      );
    },
    "bytes that are not UTF-8": async (handlers, file) => {
      const bytes = Buffer.from([0x41, 0xff, 0x0a, 0x42]);
      await file.put(bytes);
      const edit = call(handlers, "insert", {
        path: "/memories/f",
        insert_line: 1,
        insert_text: "x",
      });
      await edit.catch(() => undefined);
      return (await file.get()).includes(bytes.subarray(0, 3));
    },
    "/memoriesX is not /memories": async (handlers) =>
      call(handlers, "create", { path: "/memoriesX/evil", file_text: "x" }).then(
        () => false,
        () => true,
      ),
  };

  for (const [name, probe] of Object.entries(probes)) {
    it(`${name}: fails there, holds here`, async () => {
      const dir = mkdtempSync(join(base, "probe-"));
      const theirs = await BetaLocalFilesystemMemoryTool.init(dir);
      const file = join(dir, "memories", "f");
      const there = probe(theirs, {
        get: async () => readFileSync(file),
        put: async (bytes) => writeFileSync(file, bytes),
      });
      expect(await there.catch(() => false)).toBe(false);
      const backend = new MemoryBackend();
      const here = await probe(memoryHandlers(backend), {
        get: async () =>
          Buffer.from((await backend.downloadFiles(["/memories/f"]))[0]?.content ?? []),
        put: async (bytes) => void (await backend.uploadFiles([["/memories/f", bytes]])),
      });
      expect(here).toBe(true);
    });
  }
});

it("serves the tool runner of the SDK", async () => {
  const backend = new MemoryBackend();
  const sent: Array<{ messages: Array<{ content: unknown }> }> = [];
  const uses = [
    { command: "create", path: "/memories/a.md", file_text: "hello\n" },
    { command: "view", path: "/memories/missing.md" },
  ];
  const client = new Anthropic({
    apiKey: "none",
    fetch: async (_url, init) => {
      const step = sent.push(JSON.parse(init?.body as string) as (typeof sent)[number]) - 1;
      const input = uses[step];
      const content =
        input === undefined
          ? [{ type: "text", text: "done" }]
          : [{ type: "tool_use", id: `t${step}`, name: "memory", input }];
      return Response.json({
        id: `m${step}`,
        type: "message",
        role: "assistant",
        model: "none",
        content,
        stop_reason: input === undefined ? "end_turn" : "tool_use",
        usage: { input_tokens: 1, output_tokens: 1 },
      });
    },
  });
  await client.beta.messages.toolRunner({
    model: "none",
    max_tokens: 100,
    messages: [{ role: "user", content: "Remember." }],
    tools: [betaMemoryTool(memoryHandlers(backend, { rootDir: "/users/7" }))],
  });
  expect((await backend.read("/users/7/a.md")).content).toBe("hello\n");
  const last = JSON.stringify(sent.at(-1)?.messages.at(-1));
  expect(last).toContain("The path /memories/missing.md does not exist");
  expect(last).toContain('"is_error":true');
});

it("refuses wrong options and keeps the backend's directory to itself", async () => {
  expect(() => memoryHandlers(new MemoryBackend(), { rootDir: "" })).toThrow(TypeError);
  expect(() => memoryHandlers(new MemoryBackend(), { rootDir: "relative" })).toThrow(TypeError);
  const handlers = memoryHandlers(new MemoryBackend(), { rootDir: "/users/7" });
  const failed = call(handlers, "view", { path: "/memories/../secret" });
  await expect(failed).rejects.toMatchObject({ cause: { code: "invalid_path" } });
  await expect(failed).rejects.not.toThrow("/users/7");
});
