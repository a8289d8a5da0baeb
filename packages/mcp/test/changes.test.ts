import { MemoryBackend, type CallOptions, type FileChange } from "@fs/protocol";
import { fileServer, serveHttp } from "@fs/mcp";
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { afterEach, describe, expect, it, vi } from "vitest";
import { changeFeedOf } from "../src/change-feed.js";

const FILE = "fs:///a%20b.txt";
const stops: Array<() => Promise<void>> = [];
afterEach(async () => {
  for (const stop of stops.splice(0).toReversed()) await stop();
});

/** A backend that tells of what the test announces. */
class Watched extends MemoryBackend {
  readonly #changes: FileChange[] = [];
  #wake = (): void => undefined;
  #failures = 0;
  watches = 0;

  announce(path: string, type: FileChange["type"] = "changed"): void {
    this.#changes.push({ type, path });
    this.#wake();
  }

  /** Lets the next watches fail. */
  fail(times: number): void {
    this.#failures = times;
  }

  async watch(_path = "/", { signal }: CallOptions = {}) {
    this.watches++;
    if (this.#failures-- > 0) return { error: "It is away.", code: "unavailable" as const };
    signal?.addEventListener("abort", () => this.#wake());
    return { changes: this.#told(signal) };
  }

  async *#told(signal: AbortSignal | undefined): AsyncGenerator<FileChange> {
    for (;;) {
      if (signal?.aborted === true) return;
      const change = this.#changes.shift();
      if (change !== undefined) yield change;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}

/** Everything that a client hears and a server reports. */
interface Heard {
  readonly client: Client;
  readonly uris: string[];
  readonly lists: number[];
  readonly errors: unknown[];
}

type Way = (
  backend: MemoryBackend,
  client: Client,
  onError: (error: unknown) => void,
) => Promise<void>;

const overHttp: Way = async (backend, client, onError) => {
  const server = await serveHttp(backend, { onError });
  stops.push(() => server.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
};

/** As over standard input and output: one connection that lasts. */
const overOneConnection: Way = async (backend, client, onError) => {
  const { factory, changes } = await fileServer(backend, { onError });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const server = serveStdio(factory, { transport: far, onerror: onError });
  stops.push(async () => {
    changes?.close();
    await server.close();
  });
  await client.connect(near);
};

async function connect(way: Way, era: "newest" | "2025", backend: MemoryBackend): Promise<Heard> {
  const info = { name: "test", version: "1.0.0" };
  const options = { versionNegotiation: { mode: "auto" as const } };
  const client = new Client(info, era === "newest" ? options : {});
  const heard: Heard = { client, uris: [], lists: [], errors: [] };
  client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    heard.uris.push(params.uri);
  });
  client.setNotificationHandler("notifications/resources/list_changed", () => {
    heard.lists.push(heard.lists.length);
  });
  await way(backend, client, (error) => heard.errors.push(error));
  stops.push(() => client.close());
  return heard;
}

async function subscribe({ client }: Heard, era: string): Promise<void> {
  if (era === "2025") await client.subscribeResource({ uri: FILE });
  else await client.listen({ resourceSubscriptions: [FILE], resourcesListChanged: true });
}

describe.each([
  ["over HTTP", "newest", overHttp],
  ["over one connection", "newest", overOneConnection],
  ["over one connection", "2025", overOneConnection],
] as const)("changes reach a client %s, of the era %s,", (_, era, way) => {
  it("of the file it asked for, and of which files there are", async () => {
    const backend = new Watched();
    const heard = await connect(way, era, backend);
    await subscribe(heard, era);
    backend.announce("/other.txt");
    backend.announce("/a b.txt");
    await vi.waitFor(() => expect(heard.uris).toEqual([FILE]), 60_000);
    expect(heard.lists).toEqual([]);
    for (const path of ["/new 1", "/new 2", "/new 3"]) backend.announce(path, "created");
    backend.announce("/a b.txt", "deleted");
    await vi.waitFor(() => expect(heard.uris).toEqual([FILE, FILE]), 60_000);
    await vi.waitFor(() => expect(heard.lists).toEqual([0]), 60_000);
    expect(heard.errors).toEqual([]);
  });

  it("after what may have happened unseen", async () => {
    const backend = new Watched();
    await backend.write("/a b.txt", "x");
    const heard = await connect(way, era, backend);
    await subscribe(heard, era);
    backend.announce("/");
    await vi.waitFor(() => expect(heard.uris).toEqual([FILE]), 60_000);
    await vi.waitFor(() => expect(heard.lists).toEqual([0]), 60_000);
  });
});

it("over HTTP, where no connection lasts, a client of 2025 is told that it cannot subscribe", async () => {
  const heard = await connect(overHttp, "2025", new Watched());
  expect(heard.client.getServerCapabilities()?.resources?.subscribe).toBeUndefined();
  await expect(heard.client.subscribeResource({ uri: FILE })).rejects.toThrow(/not/i);
});

it("changes are not watched for where the backend cannot", () => {
  expect(changeFeedOf(new MemoryBackend(), () => undefined)).toBeUndefined();
});

it("a watch that fails is reported and tried again, and what may have changed meanwhile announced", async () => {
  const backend = new Watched();
  await backend.write("/a b.txt", "x");
  backend.fail(1);
  const errors: unknown[] = [];
  const told: Array<string | undefined> = [];
  const feed = changeFeedOf(backend, (error) => errors.push(error));
  feed?.listen((uri) => told.push(uri));
  await vi.waitFor(() => expect(told).toEqual([FILE, undefined]), 60_000);
  expect(errors).toEqual([expect.objectContaining({ message: "It is away." })]);
  expect(backend.watches).toBe(2);
  feed?.close();
});
