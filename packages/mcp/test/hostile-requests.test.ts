import { MemoryBackend } from "@fs/protocol";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import type { AuthInfo } from "@modelcontextprotocol/server";
import { describe, expect, it, vi } from "vitest";
import { JSON_HEADERS, PING, serversForTests, status } from "./http-server.js";

const start = serversForTests();

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

  it("that never ends, or whose sender is gone, holds up no other", async () => {
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
