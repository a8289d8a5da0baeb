import { MemoryBackend } from "@fs/protocol";
import { type HttpOptions, type HttpServer, serveHttp } from "@fs/mcp";
import { request as httpRequest } from "node:http";
import { afterEach } from "vitest";

/** Starts servers, which are closed after the test that started them. */
export function serversForTests() {
  const servers: HttpServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });
  return async (
    backend: MemoryBackend = new MemoryBackend(),
    options: HttpOptions = {},
  ): Promise<string> => {
    const server = await serveHttp(backend, { write: true, ...options });
    servers.push(server);
    return server.url;
  };
}

/** The status of a request as it is, and whether the server lives on. */
export async function status(
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

/** Those of a client that speaks the protocol. */
export const JSON_HEADERS = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
export const PING = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
