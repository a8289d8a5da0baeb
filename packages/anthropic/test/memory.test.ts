import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { betaMemoryTool, type MemoryToolHandlers } from "@anthropic-ai/sdk/helpers/beta/memory";
import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import { memoryHandlers, memoryTool } from "@fs/anthropic";
import { FilesystemBackend } from "@fs/disk";
import { CompositeBackend, failure, interceptBackend, MemoryBackend } from "@fs/protocol";
import { overLocalStorages } from "@fs/test-servers/storages";
import { afterAll, describe, expect, expectTypeOf, it } from "vitest";
import { answersAsTheirs, call, type Handlers } from "./memories.js";
import { runsOver } from "./runner.js";

const base = mkdtempSync(join(tmpdir(), "fs-anthropic-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const backends = { CompositeBackend, FilesystemBackend, MemoryBackend };
overLocalStorages("the memory", backends, "/memories/shared/", answersAsTheirs);
overLocalStorages("the memory", backends, "/users/7/memories/shared/", runsOver);

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

it("passes the runner's signal on", async () => {
  const backend = new MemoryBackend();
  const tool = memoryTool(betaMemoryTool, backend);
  const toolUse = { type: "tool_use", id: "t1", name: "memory", input: {} } as const;
  const context = { toolUse, toolUseBlock: toolUse, signal: AbortSignal.abort() };
  const command = { command: "create", path: "/memories/a", file_text: "a" } as const;
  const aborted = Promise.resolve(tool.run(command, context));
  await expect(aborted).rejects.toMatchObject({ cause: { code: "aborted" } });
  expect((await backend.read("/memories/a")).code).toBe("not_found");
});

it("fits the types of the SDK", () => {
  expectTypeOf(memoryTool).returns.toEqualTypeOf<ReturnType<typeof betaMemoryTool>>();
  expectTypeOf(memoryHandlers).returns.toExtend<Parameters<typeof betaMemoryTool>[0]>();
  // A command that a later SDK adds is one that is missing here.
  expectTypeOf<keyof MemoryToolHandlers>().toEqualTypeOf<keyof Handlers>();
  const given = Object.keys(memoryHandlers(new MemoryBackend())).toSorted();
  expect(given).toEqual(["create", "delete", "insert", "rename", "str_replace", "view"]);
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

it.each([
  ["/m", "/memories/m/memo.md"],
  ["/m", "/memories/more/m"],
  ["/e", "/memories/e.md"],
  ["/users/7", "/memories/users/7/a b.md"],
  ["/users/7", "/memories"],
])("names a path of %s as the model does: %s", async (rootDir, path) => {
  const refusing = interceptBackend(
    new MemoryBackend(),
    async ({ args }) => failure("permission_denied", args[0]) as never,
  );
  const failed = call(memoryHandlers(refusing, { rootDir }), "view", { path });
  await expect(failed).rejects.toThrow(`Access to '${path}' is denied.`);
  const wrong = call(memoryHandlers(refusing, { rootDir }), "view", { path: "/memories/../m" });
  await expect(wrong).rejects.toThrow("'/memories/../m'");
});
