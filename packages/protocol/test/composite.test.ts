import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as deepagents from "deepagents";
import { describe, expect, test } from "vitest";
import {
  type BackendProtocolV2,
  CompositeBackend,
  failure,
  type GlobResult,
  type GrepResult,
  isSandboxBackend,
  MemoryBackend,
  type WriteResult,
} from "@fs/protocol";

async function tree(): Promise<{
  all: CompositeBackend;
  main: MemoryBackend;
  memories: MemoryBackend;
  deep: MemoryBackend;
}> {
  const [main, memories, deep] = [new MemoryBackend(), new MemoryBackend(), new MemoryBackend()];
  const all = new CompositeBackend(main, { "/memories/": memories, "/a/b/": deep });
  await all.write("/main.md", "alpha\n");
  await all.write("/memories/one.md", "alpha\nbeta\n");
  await all.write("/memories/sub/two.md", "alpha\n");
  await all.write("/a/b/three.md", "alpha\n");
  await main.write("/memories/hidden.md", "alpha\n");
  return { all, main, memories, deep };
}

const paths = (result: { files?: Array<{ path: string }> }): string[] | undefined =>
  result.files?.map(({ path }) => path);
const hits = (result: GrepResult): string[] | undefined =>
  result.matches?.map(({ path, line }) => `${path}:${line}`);

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

describe("listing", () => {
  test("an ancestor of a route shows it, and hides what it covers", async () => {
    const { all } = await tree();
    expect(paths(await all.ls("/"))).toEqual(["/a/", "/main.md", "/memories/"]);
    expect(paths(await all.ls("/a"))).toEqual(["/a/b/"]);
    expect(paths(await all.ls("/memories"))).toEqual(["/memories/one.md", "/memories/sub/"]);
    expect(await all.ls("/memories/")).toEqual(await all.ls("/memories"));
    expect(await all.ls("/nowhere")).toMatchObject({ code: "not_found" });
  });

  test.each([
    ["**/*.md", "/", ["/a/b/three.md", "/main.md", "/memories/one.md", "/memories/sub/two.md"]],
    ["/memories/**/*.md", "/", ["/memories/one.md", "/memories/sub/two.md"]],
    ["memories/*.md", "/", ["/memories/one.md"]],
    ["*/one.md", "/", ["/memories/one.md"]],
    ["{memories,a/b}/*.md", "/", ["/a/b/three.md", "/memories/one.md"]],
    ["*.md", "/", ["/main.md"]],
    ["*.md", "/memories", ["/memories/one.md"]],
    ["/memories/*.md", "/memories", ["/memories/one.md"]],
    ["*.md", "/memories/one.md", ["/memories/one.md"]],
    ["**", "/a", ["/a/b/three.md"]],
    ["*.txt", "/memories", []],
  ])("glob %s in %s", async (pattern, base, expected) => {
    const { all } = await tree();
    expect(paths(await all.glob(pattern, base))).toEqual(expected);
  });

  test("glob of a missing base", async () => {
    const { all } = await tree();
    expect(await all.glob("*", "/memories/none")).toMatchObject({ code: "not_found" });
    expect(await all.glob("x*", "/none")).toMatchObject({ code: "not_found" });
  });

  test.each([
    [
      "/",
      undefined,
      ["/a/b/three.md:1", "/main.md:1", "/memories/one.md:1", "/memories/sub/two.md:1"],
    ],
    ["/memories", undefined, ["/memories/one.md:1", "/memories/sub/two.md:1"]],
    [
      "/",
      "*.md",
      ["/a/b/three.md:1", "/main.md:1", "/memories/one.md:1", "/memories/sub/two.md:1"],
    ],
    ["/", "memories/*.md", ["/memories/one.md:1"]],
    ["/", "/memories/**", ["/memories/one.md:1", "/memories/sub/two.md:1"]],
    ["/memories", "/memories/*.md", ["/memories/one.md:1"]],
    ["/memories/one.md", "*.md", ["/memories/one.md:1"]],
    ["/", "/*.md", ["/main.md:1"]],
  ])("grep in %s for %s", async (root, filter, expected) => {
    const { all } = await tree();
    expect(hits(await all.grep("alpha", root, filter))).toEqual(expected);
  });

  test("the cap is that of one filesystem, whatever a mount hides", async () => {
    const { all } = await tree();
    const capped = await all.grep("alpha", "/", null, 2);
    expect(hits(capped)).toEqual(["/a/b/three.md:1", "/main.md:1"]);
    expect(capped.truncated).toBe(true);
    expect((await all.grep("alpha", "/", null, 4)).truncated).toBeUndefined();
    expect(await all.grep("alpha", "/", null, -1)).toMatchObject({ code: "invalid_argument" });
  });

  test("a failing route fails the call, or is a warning with partial", async () => {
    const broken = new Proxy(new MemoryBackend(), {
      get: (target, name) =>
        name === "grep" || name === "glob"
          ? () => Promise.reject(new Error("secret-host:5432"))
          : Reflect.get(target, name, target),
    });
    const main = new MemoryBackend();
    await main.write("/x.md", "alpha");
    const strict = await new CompositeBackend(main, { "/b": broken }).grep("alpha");
    expect(strict).toMatchObject({ code: "unavailable" });
    const partial = await new CompositeBackend(main, { "/b": broken }, { partial: true }).grep(
      "alpha",
    );
    expect(hits(partial)).toEqual(["/x.md:1"]);
    expect(partial.warnings).toHaveLength(1);
    expect(JSON.stringify([strict, partial])).not.toContain("secret");
  });

  test("routes are visited side by side", async () => {
    let under = 0;
    let peak = 0;
    const slow = (): BackendProtocolV2 =>
      new Proxy(new MemoryBackend(), {
        get: (target, name) =>
          name === "glob"
            ? async () => {
                peak = Math.max(peak, ++under);
                await new Promise((resolve) => setTimeout(resolve, 5));
                under--;
                return { files: [] };
              }
            : Reflect.get(target, name, target),
      });
    const routes = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`/r${i}`, slow()]));
    await new CompositeBackend(new MemoryBackend(), routes).glob("**");
    expect(peak).toBe(8);
  });

  test("one backend mounted twice is listed once per mount", async () => {
    const shared = new MemoryBackend();
    await shared.write("/f.md", "alpha");
    const all = new CompositeBackend(new MemoryBackend(), { "/one": shared, "/two": shared });
    expect(paths(await all.glob("**"))).toEqual(["/one/f.md", "/two/f.md"]);
  });
});

test("what a mount leaves out is said by the composite around it", async () => {
  class Away extends MemoryBackend {
    override async glob(): Promise<GlobResult> {
      return failure("unavailable", "/");
    }
    override async grep(): Promise<GrepResult> {
      return failure("unavailable", "/");
    }
  }
  const mount = new CompositeBackend(
    new MemoryBackend(),
    { "/away/": new Away() },
    { partial: true },
  );
  const files = new CompositeBackend(new MemoryBackend(), { "/in/": mount });
  const said = { warnings: [expect.stringContaining("not available")] };
  expect(await files.glob("**")).toMatchObject(said);
  expect(await files.grep("x")).toMatchObject(said);
  expect(await files.ls("/")).not.toHaveProperty("warnings");
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
