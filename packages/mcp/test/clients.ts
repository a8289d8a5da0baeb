import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** What the tests need of any client. */
export interface TestClient {
  readonly listTools: () => Promise<{ tools: Array<{ name: string }> }>;
  readonly callTool: (params: {
    name: string;
    arguments: Record<string, unknown>;
  }) => Promise<Record<string, unknown>>;
  readonly listResources: (params?: { cursor: string }) => Promise<{
    resources: Array<{ uri: string; name: string }>;
    nextCursor?: string | undefined;
  }>;
  readonly readResource: (params: { uri: string }) => Promise<{
    contents: ReadonlyArray<Record<string, unknown>>;
  }>;
  readonly close: () => Promise<void>;
}

type Connect = (url: string, headers?: Record<string, string>) => Promise<TestClient>;

const info = { name: "test", version: "1.0.0" };

const second =
  (options: ConstructorParameters<typeof Client>[1]): Connect =>
  async (url, headers = {}) => {
    const client = new Client(info, options);
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }),
    );
    return client;
  };

/** Both official clients; the second in both eras of the protocol. */
export const CLIENTS: Readonly<Record<string, Connect>> = {
  "client 2.x, newest era": second({ versionNegotiation: { mode: "auto" } }),
  "client 2.x, era of 2025": second({}),
  "client 1.x": async (url, headers = {}) => {
    const client = new ClientV1(info);
    await client.connect(new TransportV1(new URL(url), { requestInit: { headers } }));
    return client;
  },
};

/** A client by its name, connected. */
export async function connected(name: keyof typeof CLIENTS, url: string): Promise<TestClient> {
  const connect = CLIENTS[name];
  if (connect === undefined) throw new Error(`There is no client '${name}'.`);
  return connect(url);
}

/** The text of a result. */
export function textOf(result: Record<string, unknown>): string {
  const content = result["content"] as Array<{ type: string; text?: string }>;
  return content.map(({ text = "" }) => text).join("\n");
}
