import * as mastra from "@mastra/core/workspace";
import { FilesystemBackend } from "@fs/disk";
import { mastraFilesystem } from "@fs/mastra";
import { CompositeBackend, interceptBackend, MemoryBackend } from "@fs/protocol";
import { overLocalStorages } from "@fs/test-servers/storages";
import { describe, expect, expectTypeOf, it } from "vitest";
import { answersAsTheirs, toolsOf } from "./workspaces.js";

const backends = { CompositeBackend, FilesystemBackend, MemoryBackend };
overLocalStorages("a workspace", backends, "/empty/", answersAsTheirs);

describe("a workspace", () => {
  it("mounts backends beside each other", async () => {
    const users = new MemoryBackend();
    const workspace = new mastra.Workspace({
      mounts: {
        "/code": mastraFilesystem(mastra, new MemoryBackend()),
        "/memory": mastraFilesystem(mastra, users, { rootDir: "/users/7" }),
      },
    });
    await workspace.init();
    // The type of the tools' maker leaves out workspaces with mounts.
    const run = await toolsOf(workspace as unknown as mastra.Workspace);
    await run("write_file", { path: "/memory/a.md", content: "hello" });
    expect((await users.read("/users/7/a.md")).content).toBe("hello");
    const read = await run("read_file", { path: "/memory/a.md", showLineNumbers: false });
    expect(read).toContain("hello");
  });

  it("is searched in one call of the backend", async () => {
    const calls: string[] = [];
    const counted = interceptBackend(new MemoryBackend(), async ({ method }, proceed) => {
      calls.push(method);
      return proceed();
    });
    const files = Array.from({ length: 100 }, (_, index): [string, Uint8Array] => [
      `/src/${index}.txt`,
      Buffer.from(index === 7 ? "a needle\n" : "hay\n"),
    ]);
    await counted.uploadFiles?.(files);
    const workspace = new mastra.Workspace({ filesystem: mastraFilesystem(mastra, counted) });
    await workspace.init();
    const run = await toolsOf(workspace);
    calls.length = 0;
    const said = await run("grep", { pattern: "needle", path: "src" });
    expect(String(said)).toContain("src/7.txt:1:3: a needle");
    expect(calls.filter((method) => method === "grep")).toHaveLength(1);
    // Mastra looks for a file of what to ignore.
    expect(calls.filter((method) => method === "downloadFiles").length).toBeLessThanOrEqual(1);
  });
});

describe("a write", () => {
  it("that names a time is held to the version that had it", async () => {
    const fs = mastraFilesystem(mastra, new MemoryBackend());
    await fs.writeFile("/a", "one");
    const { modifiedAt } = await fs.stat("/a");
    const writes = Array.from({ length: 20 }, async (_, index) =>
      fs.writeFile("/a", String(index), { expectedMtime: modifiedAt }),
    );
    const settled = await Promise.allSettled(writes);
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of settled)
      if (one.status === "rejected") expect(one.reason).toBeInstanceOf(mastra.StaleFileError);
    const unseen = fs.writeFile("/a", "x", { expectedMtime: new Date(5) });
    await expect(unseen).rejects.toBeInstanceOf(mastra.StaleFileError);
    await fs.writeFile("/new", "x", { expectedMtime: new Date(5) });
  });

  it("replaces only what was seen, also where tools edit in two workspaces", async () => {
    const backend = new MemoryBackend();
    const lines = Array.from({ length: 20 }, (_, index) => `[${index}]`);
    await backend.write("/f", lines.join("\n"));
    const runs = await Promise.all(
      [1, 2].map(async () => {
        const filesystem = mastraFilesystem(mastra, backend);
        const workspace = new mastra.Workspace({ filesystem });
        await workspace.init();
        return toolsOf(workspace);
      }),
    );
    const said = await Promise.all(
      lines.map(async (line, index) =>
        runs[index % 2]?.("edit_file", { path: "f", old_string: line, new_string: `${line}!` }),
      ),
    );
    const { content } = await backend.read("/f");
    for (const [index, line] of lines.entries()) {
      const isDone = String(said[index]).startsWith("Replaced 1");
      if (!isDone) expect(said[index]).toContain("StaleFileError");
      expect([line, String(content).includes(`${line}!`)]).toEqual([line, isDone]);
    }
    expect(said.some((answer) => String(answer).startsWith("Replaced 1"))).toBe(true);
  });

  it("needs the file to be as it was read, and nothing where it was not", async () => {
    const backend = new MemoryBackend();
    const fs = mastraFilesystem(mastra, backend);
    await backend.write("/a", "one");
    await fs.writeFile("/a", "two");
    await backend.edit("/a", "two", "three");
    await expect(fs.writeFile("/a", "x")).rejects.toBeInstanceOf(mastra.StaleFileError);
    expect(await fs.readFile("/a", { encoding: "utf8" })).toBe("three");
    await fs.writeFile("/a", "four");
    await backend.delete("/a");
    await fs.writeFile("/a", "five");
    const taken = fs.writeFile("/a", "six", { overwrite: false });
    await expect(taken).rejects.toBeInstanceOf(mastra.FileExistsError);
    expect((await backend.read("/a")).content).toBe("five");
  });

  it("leaves bytes that are no text as they are", async () => {
    const backend = new MemoryBackend();
    const bytes = Buffer.from([0x41, 0xff, 0x0a, 0x42]);
    await backend.uploadFiles([["/f", bytes]]);
    const workspace = new mastra.Workspace({ filesystem: mastraFilesystem(mastra, backend) });
    await workspace.init();
    const run = await toolsOf(workspace);
    const said = await run("edit_file", { path: "f", old_string: "A", new_string: "B" });
    expect(said).toContain("Cannot edit binary files");
    expect((await backend.downloadFiles(["/f"]))[0]?.content).toEqual(Uint8Array.from(bytes));
  });
});

describe("the filesystem", () => {
  it("fits the interface of Mastra and rejects with its classes", async () => {
    const backend = new MemoryBackend();
    const fs = mastraFilesystem(mastra, backend, { rootDir: "/users/7", id: "seven" });
    expectTypeOf(fs).toExtend<mastra.WorkspaceFilesystem>();
    await fs.writeFile("d/a", "x");
    await fs.appendFile("d/a", "y");
    expect((await backend.read("/users/7/d/a")).content).toBe("xy");
    const failing: ReadonlyArray<
      readonly [() => Promise<unknown>, new (...args: never[]) => Error]
    > = [
      [async () => fs.readFile("none"), mastra.FileNotFoundError],
      [async () => fs.stat("../../none"), mastra.FileNotFoundError],
      [async () => fs.readFile("d"), mastra.IsDirectoryError],
      [async () => fs.deleteFile("d"), mastra.IsDirectoryError],
      [async () => fs.readdir("none"), mastra.DirectoryNotFoundError],
      [async () => fs.readdir("d/a"), mastra.NotDirectoryError],
      [async () => fs.rmdir("d"), mastra.DirectoryNotEmptyError],
      [async () => fs.rmdir("d/a"), mastra.NotDirectoryError],
      [async () => fs.copyFile("d", "e"), mastra.IsDirectoryError],
      [
        async () => fs.writeFile("no/parent", "x", { recursive: false }),
        mastra.DirectoryNotFoundError,
      ],
      [async () => fs.writeFile("d/a/b", "x"), mastra.NotDirectoryError],
    ];
    // One after the other: what fails before it is waited for is an unhandled rejection.
    for (const [call, kind] of failing) {
      const error: unknown = await call().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(kind);
      expect(String(error)).not.toContain("/users");
    }
    await expect(fs.readFile("none")).rejects.toMatchObject({ cause: { code: "not_found" } });
    await fs.moveFile("d/a", "d/b");
    await fs.copyFile("d/b", "d/c");
    const refused = fs.moveFile("d/b", "d/c", { overwrite: false });
    await expect(refused).rejects.toBeInstanceOf(mastra.FileExistsError);
    const listed = await fs.readdir(".", { recursive: true });
    expect(listed.map(({ name }) => name)).toEqual(["d", "d/b", "d/c"]);
    await fs.rmdir("d", { recursive: true });
    expect(await fs.exists("d")).toBe(false);
    const frozen = mastraFilesystem(mastra, backend, { readOnly: true });
    await expect(frozen.writeFile("a", "x")).rejects.toBeInstanceOf(mastra.WorkspaceReadOnlyError);
    expect(() => mastraFilesystem(mastra, backend, { rootDir: "x" })).toThrow(TypeError);
    expect(() => mastraFilesystem(mastra, backend, { root: "/" } as object)).toThrow(TypeError);
  });
});
