import type { AnyBackendProtocol } from "@fs/protocol";
import { guardListener } from "@fs/protocol/author";
import { hostHeaderValidation, originValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { authenticator, metadataResponse } from "./authenticate.js";
import { fileServer } from "./file-server.js";
import { HTTP_TYPES, type HttpOptions, httpSettings } from "./http-options.js";
import { checkOptions } from "./options.js";
import { refuseLarge } from "./refuse-large.js";
import type { RunningServer } from "./stdio.js";

/** A server that is listening. */
export interface HttpServer extends RunningServer {
  /** The URL of the endpoint. */
  readonly url: string;
}

/**
 * Serves a backend over streamable HTTP, without sessions: each request is complete in itself, in either era of the
 * protocol. The host, the origin and the token of a request are checked before its body is read.
 *
 * Throws a TypeError for wrong options, among them a reachable address without a token; rejects when it cannot listen.
 *
 * @example
 * const server = await serveHttp(backend, { token: process.env.FS_TOKEN });
 * console.error(server.url);
 */
export async function serveHttp(
  backend: AnyBackendProtocol,
  options: HttpOptions = {},
): Promise<HttpServer> {
  checkOptions(backend, options, HTTP_TYPES);
  const settings = httpSettings(options);
  const { factory, changes } = await fileServer(backend, options);
  const onerror = (error: unknown): void => guardListener(() => options.onError?.(error));
  const handler = createMcpHandler(factory, {
    onerror,
    maxRequestBodySize: settings.maxBodyBytes,
  });
  const stopChanges = changes?.listen((uri) => {
    if (uri === undefined) handler.notify.resourcesChanged();
    else handler.notify.resourceUpdated(uri);
  });
  const answer = toNodeHandler(handler, { onerror, maxRequestBodySize: settings.maxBodyBytes });
  const hostIsFine = hostHeaderValidation(settings.allowedHosts);
  const originIsFine = originValidation(settings.allowedOrigins);
  const authenticate = authenticator(settings);
  let running = 0;
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!hostIsFine(request, response) || !originIsFine(request, response)) return;
    const head = headOf(request, settings.host);
    const metadata = metadataResponse(head, settings);
    if (metadata !== undefined) return send(response, metadata);
    if (new URL(head.url).pathname !== settings.path)
      return send(response, new Response("Not found.", { status: 404 }));
    const caller = await authenticate(head);
    if (caller instanceof Response) return send(response, caller);
    if (refuseLarge(request, response, settings.maxBodyBytes)) return;
    if (running >= settings.maxConcurrent)
      return send(
        response,
        new Response("Too many requests at a time.", {
          status: 503,
          headers: { "retry-after": "1" },
        }),
      );
    // A client that left while its token was looked at is closed already, and would never give its place back.
    if (response.destroyed) return;
    running++;
    response.once("close", () => running--);
    if (caller !== undefined) Reflect.set(request, "auth", caller);
    const { method = "GET", url = "/" } = request;
    await answer(Object.assign(request, { method, url }), response);
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      onerror(error);
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  server.requestTimeout = settings.requestTimeoutMs;
  server.headersTimeout = settings.requestTimeoutMs;
  server.maxConnections = settings.maxConcurrent * 4;
  const port = await listening(server, settings.port, settings.host);
  // Without a listener a failure after the start, as of accepting a connection, would end this process.
  server.on("error", onerror);
  const name = settings.host.includes(":") ? `[${settings.host}]` : settings.host;
  return {
    url: `http://${name}:${port}${settings.path}`,
    close: async () => {
      stopChanges?.();
      changes?.close();
      await handler.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A request without its body, for what is decided before that is read. */
function headOf(request: IncomingMessage, host: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    for (const item of [value].flat()) if (item !== undefined) headers.append(name, item);
  // The path of the request line may be anything; only what a URL can hold reaches the endpoint.
  const base = `http://${host.includes(":") ? `[${host}]` : host}`;
  const url = URL.canParse(request.url ?? "/", base)
    ? new URL(request.url ?? "/", base)
    : new URL("/", base);
  return new Request(url, {
    method: request.method === "TRACE" ? "GET" : (request.method ?? "GET"),
    headers,
  });
}

async function send(response: ServerResponse, answer: Response): Promise<void> {
  const body = await answer.text();
  // What the client still sends is not read, so the connection cannot be used again.
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), connection: "close" });
  response.end(body);
}

function listening(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
