import { describeWithServer } from "@fs/test-servers/vitest";
import { startRedis, type RedisInfo, type TestServer } from "@fs/test-servers";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { FileChange } from "@fs/protocol";
import { RedisBackend } from "@fs/redis";

describeWithServer("redis", "RedisBackend.watch", () => {
  let server: TestServer<RedisInfo>;
  let client: Redis;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.info.url);
  });
  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });

  const take = async (
    changes: AsyncIterable<FileChange> | undefined,
    count: number,
  ): Promise<string[]> => {
    const taken: string[] = [];
    for await (const { type, path } of changes ?? []) {
      taken.push(`${type} ${path}`);
      if (taken.length === count) break;
    }
    return taken;
  };
  const subscribers = async (): Promise<number> =>
    Number((await client.pubsub("NUMSUB", "fs:{w}:files"))[1]);

  test("reports each kind of change below its path, by segment, and leaves no connection behind", async () => {
    const files = new RedisBackend({ client, namespace: "w" });
    const { changes } = await files.watch("/in");
    expect(await subscribers()).toBe(1);
    await files.write("/inside", "not this");
    await files.write("/in/a b", "x");
    await files.edit("/in/a b", "x", "y");
    await files.move("/in/a b", "/in/c");
    await files.uploadFiles([["/in/c", Buffer.from("z")]]);
    await files.delete("/in");
    expect(await take(changes, 6)).toEqual([
      "created /in/a b",
      "changed /in/a b",
      "deleted /in/a b",
      "created /in/c",
      "changed /in/c",
      "deleted /in/c",
    ]);
    await expect.poll(subscribers).toBe(0);
  });

  test("a refused call is no change", async () => {
    const files = new RedisBackend({ client, namespace: "w" });
    await files.write("/refused", "x");
    const { changes } = await files.watch();
    await files.write("/refused", "y");
    await files.edit("/refused", "none", "y");
    await files.delete("/missing");
    await files.write("/last", "x");
    expect(await take(changes, 1)).toEqual(["created /last"]);
  });

  test("ends with its signal, and refuses what it cannot watch", async () => {
    const files = new RedisBackend({ client, namespace: "w" });
    const abort = new AbortController();
    const { changes } = await files.watch("/", { signal: abort.signal });
    const taken = take(changes, 1);
    abort.abort();
    expect(await taken).toEqual([]);
    expect(await files.watch("/", { signal: abort.signal })).toMatchObject({ code: "aborted" });
    expect(await files.watch("../x")).toMatchObject({ code: "invalid_path" });
    await using away = new RedisBackend({ url: "redis://:secret@127.0.0.1:1" });
    const failed = await away.watch();
    expect(failed).toMatchObject({ code: "unavailable" });
    expect(failed.error).not.toContain("secret");
  });

  test("after a lost connection everything may have changed", async () => {
    const files = new RedisBackend({ client, namespace: "w" });
    const { changes } = await files.watch("/in");
    await client.call("CLIENT", "KILL", "TYPE", "pubsub");
    expect(await take(changes, 1)).toEqual(["changed /in"]);
  });

  test("what happens after it told of a lost connection is heard", async () => {
    const files = new RedisBackend({ client, namespace: "w" });
    const { changes } = await files.watch("/in");
    const cut = (): Promise<unknown> => client.call("CLIENT", "KILL", "TYPE", "pubsub");
    let round = 0;
    let told = false;
    await cut();
    for await (const { type, path } of changes ?? []) {
      if (path === "/in") {
        // At once, so that a subscription that is only under way would miss it.
        if (!told) await files.write(`/in/${round}`, "x");
        told = true;
        continue;
      }
      expect(`${type} ${path}`).toBe(`created /in/${round}`);
      if (++round === 5) break;
      told = false;
      await cut();
    }
    expect(round).toBe(5);
  });

  test("ends with the backend, also on a client that stays open", async () => {
    await using own = new RedisBackend({ url: server.info.url, namespace: "w" });
    const files = new RedisBackend({ client, namespace: "w" });
    for (const backend of [own, files]) {
      const { changes } = await backend.watch();
      expect(await subscribers()).toBe(1);
      const taken = take(changes, 1);
      await backend[Symbol.asyncDispose]();
      expect(await taken).toEqual([]);
      await expect.poll(subscribers).toBe(0);
    }
  });

  test("hears of everything on a client with a key prefix of its own, which keeps tenants apart", async () => {
    const prefixed = new Redis(server.info.url, { keyPrefix: "tenant:" });
    try {
      const files = new RedisBackend({ client: prefixed, namespace: "w" });
      const { changes } = await files.watch();
      await files.write("/theirs", "x");
      expect(await take(changes, 1)).toEqual(["created /theirs"]);
      expect(await client.exists("tenant:fs:{w}:files")).toBe(1);
      expect(await files.readRaw("/last")).toMatchObject({ code: "not_found" });
      expect((await files.grep("x")).matches).toHaveLength(1);
    } finally {
      prefixed.disconnect();
    }
  });
});
