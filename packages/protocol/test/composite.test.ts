import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as deepagents from "deepagents";
import { describe, expect, test } from "vitest";
import {
  type BackendProtocolV2,
  CompositeBackend,
  isSandboxBackend,
  MemoryBackend,
  type WriteResult,
} from "@fs/protocol";
import { hits, paths, tree } from "./composite-tree.js";

describe("routing", () => {
  test("a prefix captures by segment only", async () => {
    const { all, main, memories } = await tree();
    expect(await all.write("/memories2/f.txt", "x")).toMatchObject({ path: "/memories2/f.txt" });
    expect(await main.read("/memories2/f.txt")).toMatchObject({ content: "x" });
    expect(await memories.ls("/")).toMatchObject({
      files: [{ path: "/one.md" }, { path: "/sub/" }],
    });
  });

  test("results and errors carry the caller's path", async () => {
    const { all } = await tree();
    expect(await all.edit("/memories/one.md", "beta", "gamma")).toMatchObject({
      path: "/memories/one.md",
      occurrences: 1,
    });
    expect((await all.read("/memories/none.md")).error).toBe("'/memories/none.md' was not found.");
    expect((await all.write("/memories/one.md", "x")).error).toContain(
      "'/memories/one.md' already exists",
    );
    expect((await all.write("/memories/one.md/below", "x")).error).toContain(
      "'/memories/one.md/below'",
    );
  });

  test("a bad route fails at construction", () => {
    const memory = new MemoryBackend();
    for (const routes of [
      { memories: memory },
      { "/": memory },
      { "/a": memory, "/a/": memory },
      { "/a/../b": memory },
    ]) {
      expect(() => new CompositeBackend(memory, routes)).toThrow(TypeError);
    }
  });

  test("a lookup costs the depth of the path, not the number of routes", async () => {
    const memory = new MemoryBackend();
    let asked = 0;
    const counting: BackendProtocolV2 = new Proxy(memory, {
      get: (target, name) => {
        if (name === "read") asked++;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const routes = Object.fromEntries(
      Array.from({ length: 1000 }, (_, i) => [`/r${i}/`, counting]),
    );
    const all = new CompositeBackend(new MemoryBackend(), routes);
    await all.read("/r999/x");
    expect(asked).toBe(1);
  });
});

describe("changes", () => {
  test("a route cannot be removed, moved or written over", async () => {
    const { all } = await tree();
    for (const path of ["/memories", "/memories/", "/a", "/"]) {
      expect(await all.delete(path)).toMatchObject({ code: "permission_denied" });
    }
    expect(await all.move("/memories", "/x")).toMatchObject({ code: "permission_denied" });
    expect(await all.write("/memories", "x")).toMatchObject({ code: "is_directory" });
    expect(await all.delete("/memories/sub")).toMatchObject({ path: "/memories/sub" });
  });

  test("moves and copies cross routes, and never overwrite", async () => {
    const { all } = await tree();
    expect(await all.move("/main.md", "/memories/moved.md")).toEqual({
      path: "/memories/moved.md",
      files: 1,
    });
    expect(await all.read("/main.md")).toMatchObject({ code: "not_found" });
    expect(await all.copy("/memories", "/copy")).toMatchObject({ files: 3 });
    expect(await all.copy("/memories/one.md", "/a/b/three.md")).toMatchObject({
      code: "already_exists",
    });
    expect(await all.copy("/memories/one.md", "/a/b/three.md", { overwrite: true })).toMatchObject({
      files: 1,
    });
    expect(await all.read("/a/b/three.md")).toMatchObject({ content: "alpha\nbeta\n" });
    expect(await all.move("/nothing", "/memories/x")).toMatchObject({ code: "not_found" });
  });

  test("a failed move leaves the source, and nothing at the target", async () => {
    const { all } = await tree();
    await all.write("/dir/one", "1");
    await all.write("/dir/two", "2");
    await all.write("/memories/dir/two", "other");
    expect(await all.move("/dir", "/memories/dir")).toMatchObject({ code: "already_exists" });
    expect(paths(await all.ls("/dir"))).toEqual(["/dir/one", "/dir/two"]);
    expect(paths(await all.ls("/memories/dir"))).toEqual(["/memories/dir/two"]);
  });

  test("batches keep the input order over mounts", async () => {
    const { all } = await tree();
    const bytes = new Uint8Array([0, 255]);
    const stored = await all.uploadFiles([
      ["/memories/x.bin", bytes],
      ["bad", bytes],
      ["/y.bin", bytes],
    ]);
    expect(stored.map(({ path, error }) => [path, error])).toEqual([
      ["/memories/x.bin", null],
      ["bad", "invalid_path"],
      ["/y.bin", null],
    ]);
    const back = await all.downloadFiles(["/y.bin", "/none", "/memories/x.bin"]);
    expect(back.map(({ error }) => error)).toEqual([null, "file_not_found", null]);
    expect(back[2]?.content).toEqual(bytes);
  });
});

describe("capabilities", () => {
  test("execute and id are the default backend's", async () => {
    const plain = new CompositeBackend(new MemoryBackend(), {});
    expect(isSandboxBackend(plain)).toBe(false);
    expect(plain.execute).toBeUndefined();
    const sandbox = Object.assign(new MemoryBackend(), {
      id: "box",
      execute: (command: string) => ({ output: command, exitCode: 0, truncated: false }),
    });
    const all = new CompositeBackend(sandbox, { "/m": new MemoryBackend() });
    expect(isSandboxBackend(all)).toBe(true);
    expect(await all.execute?.("hi")).toEqual({ output: "hi", exitCode: 0, truncated: false });
  });

  test("an override in a subclass is honoured", async () => {
    class Guarded extends MemoryBackend {
      override async write(): Promise<WriteResult> {
        return { error: "read only", code: "permission_denied" };
      }
    }
    const all = new CompositeBackend(new MemoryBackend(), { "/safe": new Guarded() });
    expect(await all.write("/safe/x", "1")).toMatchObject({ code: "permission_denied" });
  });

  test("a backend of deepagents works behind a route", async () => {
    const rootDir = mkdtempSync(join(tmpdir(), "fs-composite-"));
    const foreign = new deepagents.FilesystemBackend({ rootDir, virtualMode: true });
    const all = new CompositeBackend(new MemoryBackend(), { "/disk": foreign });
    expect((await all.write("/disk/src/a.py", "alpha\nbeta\n")).path).toBe("/disk/src/a.py");
    expect(await all.read("/disk/src/a.py")).toMatchObject({ content: "alpha\nbeta\n" });
    expect(hits(await all.grep("beta", "/", "disk/**/*.py"))).toEqual(["/disk/src/a.py:2"]);
    expect(paths(await all.glob("**/*.py"))).toEqual(["/disk/src/a.py"]);
    expect(await all.copy("/disk/src/a.py", "/b.py")).toMatchObject({ files: 1 });
    expect((await all.read("/disk/none")).error).toContain("/disk/none");
  });
});
