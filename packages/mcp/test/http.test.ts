import { MemoryBackend } from "@fs/protocol";
import { type HttpOptions, type HttpServer, serveHttp } from "@fs/mcp";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import type { AuthInfo } from "@modelcontextprotocol/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CLIENTS, connected, textOf } from "./clients.js";

const servers: HttpServer[] = [];

async function start(
  backend: MemoryBackend = new MemoryBackend(),
  options: HttpOptions = {},
): Promise<string> {
  const server = await serveHttp(backend, { write: true, ...options });
  servers.push(server);
  return server.url;
}

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

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

/** The status of a request as it is, and whether the server lives on. */
async function status(
  url: string,
  headers: Record<string, string>,
  body: string | Buffer = "",
  method = "POST",
): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on("error", reject);
    request.end(body);
  });
}

const JSON_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });

describe("a hostile request", () => {
  const json = JSON_HEADERS;
  const ping = PING;

  it("is refused, and the next one is answered", async () => {
    const url = await start(new MemoryBackend(), { maxBodyBytes: 10_000 });
    expect(await status(url, { ...json, host: "evil.example" }, ping)).toBe(403);
    expect(await status(url, { ...json, origin: "https://evil.example" }, ping)).toBe(403);
    expect(await status(url, json, "{broken")).toBe(400);
    expect(await status(url, json, "x".repeat(20_000))).toBe(413);
    expect(await status(url, { ...json, "content-type": "text/plain" }, ping)).toBe(415);
    expect(await status(url, json, "", "GET")).toBe(405);
    expect(await status(url.replace("/mcp", "/other"), json, ping)).toBe(404);
    expect(await status(url, json, JSON.stringify([]))).toBe(400);
    expect(await status(url, json, Buffer.from([0xff, 0xfe, 0x00]))).toBe(400);
    expect(await status(url, { ...json, origin: "http://localhost:3000" }, ping)).toBe(200);
  });

  it("that is too large is answered with 413, and not cut off while it is sent", async () => {
    const url = await start(new MemoryBackend(), { maxBodyBytes: 1_000_000 });
    const body = "x".repeat(8_000_000);
    for (let round = 0; round < 10; round += 1) {
      const { status: answered } = await fetch(url, { method: "POST", headers: json, body });
      expect(answered).toBe(413);
    }
  });

  it("that never ends is cut off", async () => {
    const url = await start(new MemoryBackend(), { maxBodyBytes: 10_000 });
    expect(await status(url, { ...json, "content-length": "1000000" }, "x".repeat(200_000))).toBe(
      413,
    );
  });

  it("without the token, or with another, is refused before its body is read", async () => {
    const token = "a-token-of-enough-length";
    const url = await start(new MemoryBackend(), { token });
    const bearing = (value: string) => ({ ...json, authorization: value });
    for (const value of ["", "Bearer", "Bearer x", `Basic ${token}`, `Bearer ${token}x`])
      expect(await status(url, bearing(value), ping)).toBe(401);
    expect(await status(url, json, ping)).toBe(401);
    expect(await status(url, bearing(`Bearer ${token}`), ping)).toBe(200);
    // A body that never comes: the answer is there all the same.
    const answered = await new Promise<string>((resolve, reject) => {
      const { port } = new URL(url);
      const socket = connect(Number(port), "127.0.0.1", () => {
        socket.write(`POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 1000000\r\n\r\n{`);
      });
      socket.once("data", (data) => {
        resolve(String(data));
        socket.destroy();
      });
      socket.once("error", reject);
    });
    expect(answered).toContain("401");
  });

  it("that never ends, or whose sender is gone, keeps nobody else waiting", async () => {
    const url = await start(new MemoryBackend(), { requestTimeoutMs: 500 });
    const { port } = new URL(url);
    const sockets = await Promise.all(
      Array.from(
        { length: 20 },
        (_, index) =>
          new Promise<ReturnType<typeof connect>>((resolve) => {
            const socket = connect(Number(port), "127.0.0.1", () => {
              socket.write(
                `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"a"`,
              );
              if (index % 2 === 0) socket.destroy();
              resolve(socket);
            });
            socket.on("error", () => undefined);
          }),
      ),
    );
    expect(await status(url, json, ping)).toBe(200);
    for (const socket of sockets) socket.destroy();
  });
});

/** Lets a request wait for its token to be looked at. */
function slowVerifier() {
  let asked = 0;
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const verifyAccessToken = async (token: string): Promise<AuthInfo> => {
    asked++;
    await answered;
    return { token, clientId: "test", scopes: [], expiresAt: Date.now() / 1000 + 60 };
  };
  return { verifier: { verifyAccessToken }, asked: () => asked, answer };
}

it("gives the place of a client back that left while its token was looked at", async () => {
  const { verifier, asked, answer } = slowVerifier();
  const issuer = "http://127.0.0.1:1/";
  const oauthMetadata = {
    issuer,
    authorization_endpoint: issuer,
    token_endpoint: issuer,
    response_types_supported: ["code"],
  };
  const metadata = { oauthMetadata, resourceServerUrl: new URL("http://127.0.0.1/mcp") };
  const url = await start(new MemoryBackend(), {
    oauth: { verifier, metadata },
    maxConcurrent: 2,
  });
  const bearing = { ...JSON_HEADERS, authorization: "Bearer x" };
  const leaving = Array.from({ length: 4 }, () => {
    const request = httpRequest(url, { method: "POST", headers: bearing });
    request.on("error", () => undefined).end(PING);
    return request;
  });
  await vi.waitFor(() => expect(asked()).toBe(leaving.length), 60_000);
  for (const request of leaving) request.destroy();
  // The server notices each of them before it reads what comes afterwards, on a connection of its own.
  const { port } = new URL(url);
  await expect(fetch(`http://127.0.0.1:${port}/elsewhere`)).resolves.toMatchObject({ status: 404 });
  answer();
  for (let round = 0; round < 3; round += 1) expect(await status(url, bearing, PING)).toBe(200);
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
