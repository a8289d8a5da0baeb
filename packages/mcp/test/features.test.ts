import { MemoryBackend } from "@fs/protocol";
import { type HttpServer, serveHttp } from "@fs/mcp";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { pathOf, uriOf } from "../src/file-uri.js";
import { skillFiles } from "../src/skills.js";

const servers: HttpServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function connect(...given: Parameters<typeof serveHttp>): Promise<Client> {
  const server = await serveHttp(...given);
  servers.push(server);
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: "auto" } },
  );
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  return client;
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

/** A promise that is settled from outside; Node 20 has none of its own. */
function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** A backend whose search goes on until its caller gives up. */
class Endless extends MemoryBackend {
  readonly began = deferred<AbortSignal | undefined>();

  override async grep(...args: Parameters<MemoryBackend["grep"]>) {
    const signal = args[4]?.signal;
    this.began.resolve(signal);
    await new Promise<void>((resolve) => {
      signal?.addEventListener("abort", () => {
        resolve();
      });
    });
    return super.grep(...args);
  }
}

describe("a call", () => {
  it("that is cancelled ends in the storage too", async () => {
    const backend = new Endless();
    const client = await connect(backend);
    const cancel = new AbortController();
    const call = client.callTool(
      { name: "grep", arguments: { pattern: "x" } },
      { signal: cancel.signal },
    );
    const signal = await backend.began.promise;
    const ended = new Promise<void>((resolve) => {
      signal?.addEventListener("abort", () => {
        resolve();
      });
    });
    cancel.abort();
    await expect(call).rejects.toThrow(/abort|cancel/i);
    await ended;
    expect((await client.callTool({ name: "ls", arguments: {} })).isError).not.toBe(true);
    await client.close();
  });

  it("that takes long reports that it goes on", async () => {
    const backend = new Endless();
    const client = await connect(backend);
    const cancel = new AbortController();
    const seen: number[] = [];
    const call = client.callTool(
      { name: "grep", arguments: { pattern: "x" } },
      {
        signal: cancel.signal,
        onprogress: ({ progress }) => {
          seen.push(progress);
          if (seen.length === 2) cancel.abort();
        },
      },
    );
    await expect(call).rejects.toThrow(/abort|cancel/i);
    expect(seen).toEqual([0, 1]);
    await client.close();
  });
});

it("a resource that is too large is refused without being loaded", async () => {
  const backend = new MemoryBackend();
  await backend.write("/large", "x".repeat(100));
  const readRaw = vi.spyOn(backend, "readRaw");
  const client = await connect(backend, { settings: { maxBinaryBytes: 99 } });
  await expect(client.readResource({ uri: "fs:///large" })).rejects.toThrow("larger than 99 bytes");
  expect(readRaw).not.toHaveBeenCalled();
  await client.close();
});

describe("skills", () => {
  it("are served from any backend", async () => {
    const backend = new MemoryBackend();
    const text = "---\nname: greet\ndescription: How to greet.\n---\nSay hello.\n";
    await backend.write("/skills/greet/SKILL.md", text);
    const client = await connect(backend, { skills: "/skills" });
    const { resources } = await client.listResources();
    const skill = resources.find(({ name }) => name === "greet");
    expect(skill).toMatchObject({
      description: "How to greet.",
      uri: expect.stringMatching(/^skill:/),
    });
    const read = await client.readResource({ uri: skill?.uri ?? "" });
    expect(read.contents[0]).toMatchObject({ text });
    const files = skillFiles(backend, "/skills");
    expect(await files.list("")).toEqual([{ name: "greet", kind: "directory" }]);
    await expect(files.read("greet/none")).rejects.toThrow("not found");
    await client.close();
  });
});

describe("a URI", () => {
  it("names a path and back, and what is no file's names none", () => {
    for (const path of ["/a", "/a b/ü?#%.txt", "/a/%2F", "/漢/😀"])
      expect(pathOf(uriOf(path))).toBe(path);
    for (const uri of ["fs:///a%2Fb", "fs:///%E0%A4%A", "http://x/a", "fs://host/a", "fs:///a/%00"])
      expect(pathOf(uri)).toBeUndefined();
    expect(pathOf("fs:///a/../../etc")).not.toBe("/etc/../..");
  });
});
