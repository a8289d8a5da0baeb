import { MemoryBackend } from "@fs/protocol";
import { serveHttp } from "@fs/mcp";
import { describe, expect, it } from "vitest";
import { CLIENTS, connected, textOf } from "./clients.js";
import { serversForTests } from "./http-server.js";

const start = serversForTests();

describe.each(Object.entries(CLIENTS))("%s", (_name, connectTo) => {
  it("works through every tool, with structured answers", async () => {
    const client = await connectTo(await start());
    const call = async (name: string, args: Record<string, unknown>) =>
      client.callTool({ name, arguments: args });
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toHaveLength(13);
      const written = await call("write_file", { file_path: "/a/b.md", content: "one\ntwo\n" });
      const { version } = written["structuredContent"] as { version?: string };
      const read = await call("read_file", { file_path: "/a/b.md" });
      expect(read["structuredContent"]).toMatchObject({ content: "one\ntwo\n", totalLines: 2 });
      expect(textOf(read)).toContain("[version ");
      const current = (read["structuredContent"] as { version: string }).version;
      if (version !== undefined) expect(version).toBe(current);
      const edit = { file_path: "/a/b.md", old_string: "one", new_string: "1" };
      const dry = await call("edit_file", { ...edit, dry_run: true });
      expect(textOf(dry)).toContain("+1");
      expect((await call("edit_file", { ...edit, if_version: current }))["isError"]).not.toBe(true);
      const stale = await call("edit_file", { ...edit, old_string: "two", if_version: current });
      expect(stale).toMatchObject({ isError: true, _meta: { "fs/code": "conflict" } });
      expect(stale["structuredContent"]).toBeUndefined();
      const edits = [{ old_string: "two", new_string: "2" }];
      await call("multi_edit", { file_path: "/a/b.md", edits });
      await call("copy_file", { source: "/a/b.md", destination: "/c.md" });
      await call("move_file", { source: "/c.md", destination: "/d.md" });
      expect(textOf(await call("ls", { path: "/" }))).toContain("/d.md (4 B)");
      expect(textOf(await call("tree", {}))).toContain("b.md");
      expect((await call("stat", { file_path: "/d.md" }))["structuredContent"]).toMatchObject({
        size: 4,
      });
      expect(textOf(await call("read_files", { file_paths: ["/d.md"] }))).toContain("1→1");
      expect((await call("glob", { pattern: "**/*.md" }))["structuredContent"]).toMatchObject({
        files: 2,
      });
      expect((await call("grep", { pattern: "2" }))["structuredContent"]).toMatchObject({
        matches: 2,
      });
      await call("delete", { file_path: "/d.md" });
      expect(await call("read_file", { file_path: "/d.md" })).toMatchObject({
        isError: true,
        _meta: { "fs/code": "not_found" },
      });
      await expect(call("rm", {})).rejects.toThrow(/no tool 'rm'/);
    } finally {
      await client.close();
    }
  });

  it("shows an image, and reads resources by page", async () => {
    const backend = new MemoryBackend();
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
    await backend.uploadFiles([["/pic ture.png", png]]);
    for (let n = 0; n < 250; n++) await backend.write(`/f/${String(n).padStart(3, "0")}`, `${n}`);
    const client = await connectTo(await start(backend));
    try {
      const shown = await client.callTool({
        name: "read_file",
        arguments: { path: "/pic ture.png" },
      });
      expect(shown["content"]).toContainEqual({
        type: "image",
        mimeType: "image/png",
        data: Buffer.from(png).toString("base64"),
      });
      // The second client follows the cursors by itself.
      const names = new Set<string>();
      let page = await client.listResources();
      for (const { name } of page.resources) names.add(name);
      while (page.nextCursor !== undefined) {
        expect(page.resources).toHaveLength(200);
        page = await client.listResources({ cursor: page.nextCursor });
        for (const { name } of page.resources) names.add(name);
      }
      expect(names.size).toBe(251);
      const text = await client.readResource({ uri: "fs:///f/007" });
      expect(text.contents[0]).toMatchObject({ text: "7" });
      const image = await client.readResource({ uri: "fs:///pic%20ture.png" });
      expect(image.contents[0]).toMatchObject({ mimeType: "image/png" });
      for (const uri of ["fs:///nothing", "fs:///f", "fs:///a%2Fb", "file:///etc/passwd"])
        await expect(client.readResource({ uri })).rejects.toThrow(/not found|Not found|no tool/i);
    } finally {
      await client.close();
    }
  });

  it("offers no tool that changes anything unless writing is allowed", async () => {
    const client = await connectTo(await start(new MemoryBackend(), { write: false }));
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        "ls",
        "tree",
        "stat",
        "read_file",
        "read_files",
        "glob",
        "grep",
      ]);
      const write = client.callTool({ name: "write_file", arguments: { path: "/a", content: "" } });
      await expect(write).rejects.toThrow(/not found|Not found|no tool/i);
    } finally {
      await client.close();
    }
  });
});

describe("two clients", () => {
  it("lose no edit of one file", async () => {
    const backend = new MemoryBackend();
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index}.\n`);
    await backend.write("/shared.txt", lines.join(""));
    const url = await start(backend);
    const [a, b] = await Promise.all([
      connected("client 1.x", url),
      connected("client 2.x, newest era", url),
    ]);
    const results = await Promise.all(
      lines.map((_, index) =>
        (index % 2 === 0 ? a : b).callTool({
          name: "edit_file",
          arguments: {
            path: "/shared.txt",
            old_string: `line ${index}.`,
            new_string: `done ${index}.`,
          },
        }),
      ),
    );
    await Promise.all([a.close(), b.close()]);
    expect(results.filter((result) => result["isError"] === true)).toEqual([]);
    const { content } = await backend.read("/shared.txt", 0, 100);
    expect(content).toBe(lines.map((_, index) => `done ${index}.\n`).join(""));
  });
});

describe("options", () => {
  it("that are wrong, or would let anybody in, are refused", async () => {
    for (const wrong of [
      { host: "0.0.0.0" },
      { host: "" },
      { port: -1 },
      { token: "short" },
      { token: 7 },
      { maxBodyBytes: 0 },
      { maxConcurrent: Number.NaN },
      { writable: true },
      { tools: ["cat"] },
      { path: "mcp" },
    ])
      await expect(serveHttp(new MemoryBackend(), wrong as never)).rejects.toThrow(TypeError);
    await expect(serveHttp(null as never)).rejects.toThrow(TypeError);
  });
});
