import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FilesystemBackend } from "@fs/disk";
import { backendEditor, backendShell } from "@fs/openai-agents";
import {
  type AuditEntry,
  CompositeBackend,
  failure,
  interceptBackend,
  MemoryBackend,
  runAsCaller,
  withAudit,
} from "@fs/protocol";
import { LocalShellBackend } from "@fs/shell";
import { overLocalStorages } from "@fs/test-servers/storages";
import { applyDiff, type Editor, type Shell } from "@openai/agents";
import { afterAll, describe, expect, expectTypeOf, it } from "vitest";
import { worksOver } from "./agents.js";

const base = mkdtempSync(join(tmpdir(), "fs-openai-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const backends = { CompositeBackend, FilesystemBackend, MemoryBackend };
overLocalStorages("an agent", backends, "/docs/", worksOver);

describe("the editor", () => {
  it("keeps all of 20 patches that run together, in two editors", async () => {
    const backend = new MemoryBackend();
    const lines = Array.from({ length: 20 }, (_, index) => `[${index}]`);
    await backend.write("/f", lines.join("\n"));
    const editors = [backendEditor(applyDiff, backend), backendEditor(applyDiff, backend)];
    const results = await Promise.all(
      lines.map(async (line, index) =>
        editors[index % 2]?.updateFile({
          type: "update_file",
          path: "f",
          diff: `@@\n-${line}\n+${line}!\n`,
        }),
      ),
    );
    for (const result of results) expect(result).toMatchObject({ status: "completed" });
    const { content } = await backend.read("/f");
    expect(content).toBe(lines.map((line) => `${line}!`).join("\n"));
  });

  it("moves what it patched and nothing newer", async () => {
    const backend = new MemoryBackend();
    await backend.write("/a", "one\n");
    let rounds = 0;
    const raced = interceptBackend(backend, async ({ method }, proceed) => {
      if (method === "delete" && ++rounds === 1) await backend.edit("/a", "one", "one\nnew");
      return proceed();
    });
    const editor = backendEditor(applyDiff, raced);
    const diff = "@@\n-one\n+1\n";
    const moved = await editor.updateFile({ type: "update_file", path: "a", diff, moveTo: "b" });
    expect(moved).toMatchObject({ status: "completed" });
    expect((await backend.read("/b")).content).toBe("1\nnew\n");
    expect((await backend.read("/a")).code).toBe("not_found");
    await backend.write("/a", "one\n");
    const taken = await editor.updateFile({ type: "update_file", path: "a", diff, moveTo: "b" });
    expect(taken).toMatchObject({ status: "failed" });
    expect((await backend.read("/a")).content).toBe("one\n");
  });

  it.each([
    ["permission_denied", undefined],
    ["unsupported", undefined],
    // Nobody knows whether the source is still there: nothing is undone.
    ["unavailable", "1\n"],
    ["timeout", "1\n"],
  ] as const)("leaves %s of the source with %s at the target", async (code, left) => {
    const backend = new MemoryBackend();
    await backend.write("/a", "one\n");
    const refusing = interceptBackend(backend, async ({ method, args }, proceed) =>
      method === "delete" && args[0] === "/a" ? (failure(code, "/a") as never) : proceed(),
    );
    const editor = backendEditor(applyDiff, refusing);
    const diff = "@@\n-one\n+1\n";
    const moved = await editor.updateFile({ type: "update_file", path: "a", diff, moveTo: "b" });
    expect(moved).toMatchObject({ status: "failed", output: expect.stringContaining(code) });
    expect((await backend.read("/a")).content).toBe("one\n");
    expect((await backend.read("/b")).content).toBe(left);
  });

  it("stays in its directory, and leaves alone what is no text", async () => {
    const entries: AuditEntry[] = [];
    const memory = new MemoryBackend();
    const backend = withAudit(memory, (entry) => void entries.push(entry));
    const caller = { actor: "ada" };
    const editor = backendEditor(applyDiff, backend, { rootDir: "/users/7", caller });
    await runAsCaller({ threadId: "t1" }, async () =>
      editor.createFile({ type: "create_file", path: "../../../a.md", diff: "+x" }),
    );
    expect((await memory.read("/users/7/a.md")).content).toBe("x");
    expect(entries).toContainEqual(
      expect.objectContaining({ actor: "ada", threadId: "t1", phase: "end" }),
    );
    const bytes = Buffer.from([0x41, 0xff, 0x0a, 0x42]);
    await memory.uploadFiles([["/users/7/f", bytes]]);
    const update = { type: "update_file", path: "f", diff: "@@\n-A\n+B\n" } as const;
    expect(await editor.updateFile(update)).toEqual({
      status: "failed",
      output: "'f' is not a text file. (not_text)",
    });
    const missing = await editor.deleteFile({ type: "delete_file", path: "none" });
    expect(missing).toEqual({ status: "failed", output: "'none' was not found. (not_found)" });
    expectTypeOf(editor).toExtend<Editor>();
    expect(() => backendEditor(applyDiff, memory, { rootDir: "x" })).toThrow(TypeError);
    expect(() => backendEditor(applyDiff, memory, { root: "/" } as object)).toThrow(TypeError);
  });
});

describe("the shell", () => {
  it("runs the commands of a backend that can execute", async () => {
    const rootDir = join(base, "shell");
    const backend = new LocalShellBackend({ rootDir, virtualMode: true });
    const shell = backendShell(backend, { maxOutputLength: 10 });
    expectTypeOf(shell).toExtend<Shell>();
    const { output } = await shell.run({
      commands: ["echo hi", "exit 3", "printf 'a%.0s' $(seq 100)", "sleep 30", "echo never"],
      timeoutMs: 2000,
    });
    expect(output.map(({ stdout, outcome }) => [stdout, outcome])).toEqual([
      ["hi\n", { type: "exit", exitCode: 0 }],
      ["", { type: "exit", exitCode: 3 }],
      [`${"a".repeat(10)}\n[90 more characters are left out]`, { type: "exit", exitCode: 0 }],
      [expect.any(String), { type: "timeout" }],
    ]);
    await backend.close?.();
  });

  it("refuses what runs no commands, and wrong options", () => {
    expect(() => backendShell(new MemoryBackend() as never)).toThrow(TypeError);
    expect(() => backendShell({ exec: async () => ({}) as never }, { timeoutMs: -1 })).toThrow(
      TypeError,
    );
  });
});
