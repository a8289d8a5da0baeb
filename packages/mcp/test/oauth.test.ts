import { MemoryBackend } from "@fs/protocol";
import { type HttpServer, serveHttp } from "@fs/mcp";
import {
  Client,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";
import { UnauthorizedError as FirstUnauthorized } from "@modelcontextprotocol/sdk/client/auth.js";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as FirstTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryOAuthClientProvider } from "@modelcontextprotocol/sdk/examples/client/simpleOAuthClientProvider.js";
import { DemoInMemoryAuthProvider } from "@modelcontextprotocol/sdk/examples/server/demoInMemoryOAuthProvider.js";
import {
  createOAuthMetadata,
  mcpAuthRouter,
} from "@modelcontextprotocol/sdk/server/auth/router.js";
import { createMcpExpressApp } from "@modelcontextprotocol/sdk/server/express.js";
import { OAuthError, OAuthErrorCode } from "@modelcontextprotocol/server";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";

const SCOPE = "files:read";
const REDIRECT = "http://127.0.0.1/callback";
const info = { name: "test", version: "1.0.0" };
const stops: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
}

const closed = (server: Server): Promise<unknown> =>
  new Promise((resolve) => {
    server.closeAllConnections();
    server.close(resolve);
  });

/** The SDK's authorization server: registration of clients, authorization codes with PKCE, tokens. */
async function startIssuer() {
  const server = createServer();
  const issuerUrl = new URL(`http://127.0.0.1:${await listen(server)}`);
  stops.push(() => closed(server));
  const provider = new DemoInMemoryAuthProvider();
  const app = createMcpExpressApp();
  app.use(mcpAuthRouter({ provider, issuerUrl, scopesSupported: [SCOPE] }));
  server.on("request", app);
  const verifyAccessToken = async (token: string) => {
    try {
      return await provider.verifyAccessToken(token);
    } catch (cause) {
      throw new OAuthError(OAuthErrorCode.InvalidToken, String(cause));
    }
  };
  const oauthMetadata = createOAuthMetadata({ provider, issuerUrl, scopesSupported: [SCOPE] });
  return { issuer: oauthMetadata.issuer, oauthMetadata, verifier: { verifyAccessToken } };
}

/** The metadata name the server's own URL, so that its port is chosen before it listens; another process may take it first. */
async function serveOnKnownPort(serve: (port: number) => Promise<HttpServer>): Promise<HttpServer> {
  for (let attempt = 0; ; attempt++) {
    const probe = createServer();
    const port = await listen(probe);
    await closed(probe);
    try {
      return await serve(port);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE" || attempt === 10) throw error;
    }
  }
}

async function start(
  requiredScopes: string[] = [SCOPE],
  from?: Awaited<ReturnType<typeof startIssuer>>,
) {
  const { issuer, oauthMetadata, verifier } = from ?? (await startIssuer());
  const backend = new MemoryBackend();
  await backend.write("/notes.md", "# Notes\n");
  const server = await serveOnKnownPort((port) => {
    const resourceServerUrl = new URL(`http://127.0.0.1:${port}/mcp`);
    const metadata = { oauthMetadata, resourceServerUrl, scopesSupported: [SCOPE] };
    return serveHttp(backend, { port, oauth: { verifier, requiredScopes, metadata } });
  });
  stops.unshift(() => server.close());
  return { issuer, url: server.url };
}

/** What a person's browser would do: opens the page of the authorization server, which sends it back with a code. */
async function codeFrom(page: URL | undefined): Promise<string> {
  if (page === undefined) throw new Error("The client did not ask for authorization.");
  const response = await fetch(page, { redirect: "manual" });
  return new URL(response.headers.get("location") ?? "").searchParams.get("code") ?? "";
}

/** The SDK's provider, which also remembers what a client of 2.x found out before it sent the person away. */
class Remembering extends InMemoryOAuthClientProvider {
  #found: OAuthDiscoveryState | undefined;
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#found = state;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#found;
  }
}

function personAt() {
  const seen: { page?: URL } = {};
  const metadata = { client_name: "test", redirect_uris: [REDIRECT], scope: SCOPE };
  // The two lines of clients differ in how they write this one optional field.
  const provider: Omit<Remembering, "clientMetadataUrl"> = new Remembering(
    REDIRECT,
    metadata,
    (page) => {
      seen.page = page;
    },
  );
  return { provider, seen };
}

interface Called {
  readonly text: string;
  readonly page: URL | undefined;
}

const LS = { name: "ls", arguments: { path: "/" } };

const CLIENTS: Readonly<Record<string, (url: URL) => Promise<Called>>> = {
  "client 2.x": async (url) => {
    const { provider, seen } = personAt();
    const options = { authProvider: provider };
    const transport = new StreamableHTTPClientTransport(url, options);
    const negotiation = { versionNegotiation: { mode: "auto" as const } };
    const refused = new Client(info, negotiation).connect(transport);
    await expect(refused).rejects.toThrow(UnauthorizedError);
    await transport.finishAuth(await codeFrom(seen.page));
    const client = new Client(info, negotiation);
    await client.connect(new StreamableHTTPClientTransport(url, options));
    const { content } = await client.callTool(LS);
    await client.close();
    return { text: JSON.stringify(content), page: seen.page };
  },
  "client 1.x": async (url) => {
    const { provider, seen } = personAt();
    const transport = new FirstTransport(url, { authProvider: provider });
    await expect(new FirstClient(info).connect(transport)).rejects.toThrow(FirstUnauthorized);
    await transport.finishAuth(await codeFrom(seen.page));
    const client = new FirstClient(info);
    await client.connect(new FirstTransport(url, { authProvider: provider }));
    const { content } = await client.callTool(LS);
    await client.close();
    return { text: JSON.stringify(content), page: seen.page };
  },
};

describe("a server that an authorization server protects", () => {
  it("names the document by which a client finds that server, and refuses the call", async () => {
    const { issuer, url } = await start();
    for (const authorization of [undefined, "Bearer unknown", "Basic eDp5"]) {
      const headers = authorization === undefined ? {} : { authorization };
      const refused = await fetch(url, { method: "POST", headers, body: "{}" });
      expect([authorization, refused.status]).toEqual([authorization, 401]);
      const challenge = refused.headers.get("www-authenticate") ?? "";
      const [, document = ""] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
      expect(document).toBe(url.replace("/mcp", "/.well-known/oauth-protected-resource/mcp"));
      expect(await (await fetch(document)).json()).toMatchObject({
        resource: url,
        authorization_servers: [issuer],
        scopes_supported: [SCOPE],
      });
    }
  });

  it.each(Object.entries(CLIENTS))("is found and called by %s", async (_name, authorizeAndCall) => {
    const { issuer, url } = await start();
    const { text, page } = await authorizeAndCall(new URL(url));
    expect(text).toContain("/notes.md");
    expect(page?.origin).toBe(new URL(issuer).origin);
    expect(page?.searchParams.get("resource")).toBe(url);
    expect(page?.searchParams.get("scope")).toBe(SCOPE);
  });

  it("refuses a token that lacks a scope", async () => {
    const issuer = await startIssuer();
    const reading = await start([SCOPE], issuer);
    const writing = await start([SCOPE, "files:write"], issuer);
    const { provider, seen } = personAt();
    const transport = new FirstTransport(new URL(reading.url), { authProvider: provider });
    await expect(new FirstClient(info).connect(transport)).rejects.toThrow(FirstUnauthorized);
    await transport.finishAuth(await codeFrom(seen.page));
    const authorization = `Bearer ${provider.tokens()?.access_token ?? ""}`;
    const request = { method: "POST", headers: { authorization }, body: "{}" };
    expect((await fetch(reading.url, request)).status).not.toBe(403);
    const refused = await fetch(writing.url, request);
    expect(refused.status).toBe(403);
    expect(refused.headers.get("www-authenticate")).toContain("insufficient_scope");
  });
});
