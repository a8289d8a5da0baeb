import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import { memoryHandlers } from "@fs/anthropic";
import { FilesystemBackend } from "@fs/disk";
import { CompositeBackend, MemoryBackend } from "@fs/protocol";
import { afterAll, describe, expect, it } from "vitest";
import { answersAsTheirs, call, type Handlers } from "./memories.js";

const base = mkdtempSync(join(tmpdir(), "fs-anthropic-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

answersAsTheirs("memory", base, () => new MemoryBackend());
answersAsTheirs(
  "disk",
  base,
  () => new FilesystemBackend({ rootDir: mkdtempSync(join(base, "disk-")) }),
);
answersAsTheirs(
  "a composite",
  base,
  () => new CompositeBackend(new MemoryBackend(), { "/memories/shared/": new MemoryBackend() }),
);

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

it("says with a code of the backend why nothing was changed", async () => {
  const backend = new MemoryBackend();
  await backend.uploadFiles([
    ["/memories/bytes", Buffer.from([0x41, 0xff, 0x0a, 0x42])],
    ["/memories/text", Buffer.from("aa\n")],
  ]);
  const handlers = memoryHandlers(backend);
  const replace = (file: string, old_str: string): Promise<unknown> =>
    call(handlers, "str_replace", { path: `/memories/${file}`, old_str, new_str: "b" });
  await expect(replace("bytes", "A")).rejects.toMatchObject({ cause: { code: "not_text" } });
  await expect(replace("bytes", "A")).rejects.toThrow("'/memories/bytes' is not a text file.");
  await expect(replace("text", "a")).rejects.toMatchObject({ cause: { code: "not_unique" } });
  await expect(replace("text", "c")).rejects.toMatchObject({ cause: { code: "no_match" } });
  await expect(replace("none", "c")).rejects.toMatchObject({ cause: { code: "not_found" } });
  const viewed = call(handlers, "view", { path: "/memories/bytes" });
  await expect(viewed).rejects.toMatchObject({ cause: { code: "not_text" } });
});

it("refuses wrong options and keeps the backend's directory to itself", async () => {
  expect(() => memoryHandlers(new MemoryBackend(), { rootDir: "" })).toThrow(TypeError);
  expect(() => memoryHandlers(new MemoryBackend(), { rootDir: "relative" })).toThrow(TypeError);
  const handlers = memoryHandlers(new MemoryBackend(), { rootDir: "/users/7" });
  const failed = call(handlers, "view", { path: "/memories/../secret" });
  await expect(failed).rejects.toMatchObject({ cause: { code: "invalid_path" } });
  await expect(failed).rejects.not.toThrow("/users/7");
});
