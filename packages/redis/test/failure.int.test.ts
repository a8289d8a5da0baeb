import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { describeWithServer } from "@fs/test-servers/vitest";
import { startRedis, type RedisInfo, type TestServer } from "@fs/test-servers";
import { Redis } from "ioredis";
import { afterEach, expect, test } from "vitest";
import { RedisBackend } from "@fs/redis";
import { assertWhole } from "./whole.js";

describeWithServer("redis", "RedisBackend when something goes wrong", () => {
  const open: Array<() => unknown> = [];
  const start = async (
    options: Parameters<typeof startRedis>[0] = {},
  ): Promise<TestServer<RedisInfo>> => {
    const server = await startRedis({ config: {}, ...options });
    open.push(() => server.stop());
    return server;
  };
  const connect = (url: string): Redis => {
    const client = new Redis(url);
    client.on("error", () => undefined);
    open.push(() => client.disconnect());
    return client;
  };
  afterEach(async () => {
    for (const close of open.splice(0).toReversed()) await close();
  });

  test("shows no half-applied mutation after kill -9 in the middle of writes, and loses nothing acknowledged", async () => {
    const server = await start({ durable: true });
    const acknowledged = new Map<string, string>();
    const tokens: string[] = [];
    await using files = new RedisBackend({ url: server.info.url, namespace: "crash" });
    await files.write("/log", "|");
    for (let crash = 0; crash < 3; crash++) {
      const over = new AbortController();
      const writers = Array.from({ length: 8 }, async (_, writer) => {
        for (let n = 0; !over.signal.aborted; n++) {
          const path = `/w${writer}/${crash}/${n % 5}/${n}`;
          const content = `${path} `.repeat(1 + (n % 300));
          if ((await files.write(path, content)).error === undefined)
            acknowledged.set(path, content);
          const token = `<${crash}.${writer}.${n}>`;
          const appended = await files.edit("/log", "|", `${token}|`);
          if (appended.error === undefined) tokens.push(token);
          if (n % 3 === 2) {
            const moved = await files.move(path, `${path}.moved`);
            if (moved.error === undefined) {
              acknowledged.delete(path);
              acknowledged.set(`${path}.moved`, content);
            } else acknowledged.delete(path);
          }
        }
      });
      const before = acknowledged.size;
      await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 40);
      await server.kill();
      await server.restart();
      over.abort();
      await Promise.all(writers);
    }
    const client = connect(server.info.url);
    await assertWhole(client, "fs:{crash}");
    expect(acknowledged.size).toBeGreaterThan(100);
    for (const [path, content] of acknowledged) {
      expect((await files.readRaw(path)).data?.content).toBe(content);
    }
    const log = String((await files.readRaw("/log")).data?.content);
    for (const token of tokens) expect(log.split(token)).toHaveLength(2);
    const found = log.match(/<[^>]*>/g) ?? [];
    expect(new Set(found).size).toBe(found.length);
  });

  test("does once what a client sends twice because its connection was cut", async () => {
    const server = await start();
    const admin = connect(server.info.url);
    await using files = new RedisBackend({ url: server.info.url, namespace: "cut" });
    await files.write("/n", "|");
    const over = new AbortController();
    const cutter = (async () => {
      while (!over.signal.aborted) {
        await admin.call("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        await sleep(7);
      }
    })();
    const tokens: string[] = [];
    const created: string[] = [];
    for (let n = 0; n < 150; n++) {
      const token = `<${n}>`;
      const edited = await files.edit("/n", "|", `${token}|`);
      if (edited.error === undefined) tokens.push(token);
      const path = `/f${n}`;
      const written = await files.write(path, "x");
      // Only this client writes here: "already there" would be this very call, done and then denied.
      expect(written.code).not.toBe("already_exists");
      if (written.error === undefined) created.push(path);
      if (n % 2 === 0 && written.error === undefined) {
        expect((await files.delete(path)).code).not.toBe("not_found");
      }
    }
    over.abort();
    await cutter;
    const text = String((await files.readRaw("/n")).data?.content);
    for (const token of tokens) expect(text.split(token)).toHaveLength(2);
    const found = text.match(/<\d+>/g) ?? [];
    expect(new Set(found).size).toBe(found.length);
    expect(created.length).toBeGreaterThan(50);
    await assertWhole(admin, "fs:{cut}");
  });

  test("answers unavailable while the server is away, and works again when it is back", async () => {
    const server = await start({ durable: true });
    await using files = new RedisBackend({ url: server.info.url });
    await files.write("/a", "1");
    await server.kill();
    expect(await files.read("/a")).toMatchObject({ code: "unavailable" });
    expect(await files.write("/b", "1")).toMatchObject({ code: "unavailable" });
    await server.restart();
    expect(await files.read("/a")).toMatchObject({ content: "1" });
  });

  test("never shows the password of its URL, whatever goes wrong", async () => {
    const password = "hunter2secret";
    const server = await start({ config: { requirepass: "another" } });
    const port = new URL(server.info.url).port;
    const heard: unknown[] = [];
    for (const url of [
      `redis://:${password}@127.0.0.1:${port}`,
      `redis://user:${password}@127.0.0.1:1`,
    ]) {
      await using files = new RedisBackend({ url, onError: (error) => heard.push(error) });
      const read = await files.read("/a");
      expect(read).toMatchObject({ code: "unavailable" });
      expect(JSON.stringify(read)).not.toMatch(/127\.0\.0\.1|hunter2secret/);
      expect(inspect(files, { depth: 10, showHidden: true })).not.toContain(password);
    }
    expect(heard).toHaveLength(2);
    expect(inspect(heard, { depth: 10 })).not.toContain(password);
    for (const url of [`redis://:${password}@[`, `http://:${password}@x`, password]) {
      const attempt = (): unknown => new RedisBackend({ url });
      expect(attempt).toThrow("'url' must be a redis:// or rediss:// URL.");
      try {
        attempt();
      } catch (error) {
        expect(inspect(error)).not.toContain(password);
      }
    }
  });

  test("refuses to write where the server evicts keys, unless the files are a cache", async () => {
    const config = { maxmemory: "64mb", "maxmemory-policy": "allkeys-lru" };
    const { url } = (await start({ config })).info;
    await using strict = new RedisBackend({ url });
    const refused = await strict.write("/a", "x");
    expect(refused).toMatchObject({ code: "unsupported" });
    expect(refused.error).toContain("allkeys-lru");
    expect(await strict.uploadFiles([["/a", Buffer.from("x")]])).toMatchObject([
      { code: "unsupported" },
    ]);
    await using cache = new RedisBackend({ url, eviction: "allow" });
    expect(await cache.write("/a", "x")).toMatchObject({ path: "/a" });
    expect(await strict.read("/a")).toMatchObject({ content: "x" });
  });

  test("takes a volatile policy for a danger only to what expires", async () => {
    const config = { maxmemory: "64mb", "maxmemory-policy": "volatile-ttl" };
    const { url } = (await start({ config })).info;
    await using kept = new RedisBackend({ url, namespace: "kept" });
    expect(await kept.write("/a", "x")).toMatchObject({ path: "/a" });
    await using scratch = new RedisBackend({ url, namespace: "scratch", ttlSeconds: 60 });
    expect(await scratch.write("/a", "x")).toMatchObject({ code: "unsupported" });
  });

  test("is whole again after an eviction took one of its keys", async () => {
    const { url } = (await start()).info;
    const client = connect(url);
    const files = new RedisBackend({ client, namespace: "evicted", eviction: "allow" });
    for (const path of ["/a", "/d/e/f", "/d/g"]) await files.write(path, path);
    await client.del("fs:{evicted}:paths");
    await files.edit("/a", "/a", "A");
    await assertWhole(client, "fs:{evicted}");
    expect((await files.glob("**")).files).toHaveLength(3);
    await client.del("fs:{evicted}:files");
    await files.write("/new", "x");
    await assertWhole(client, "fs:{evicted}");
    expect((await files.ls("/")).files?.map((file) => file.path)).toEqual(["/new"]);
  });

  test("says that there is no room and stores nothing when memory is full", async () => {
    const { url } = (await start({ config: { maxmemory: "3mb" } })).info;
    const client = connect(url);
    const files = new RedisBackend({ client, namespace: "full" });
    let last = "";
    for (let n = 0; n < 100 && last === ""; n++) {
      const { code } = await files.write(`/d${n}/${n}`, "x".repeat(100_000));
      if (code !== undefined) last = `${code} /d${n}`;
    }
    expect(last).toMatch(/^quota_exceeded /);
    await assertWhole(client, "fs:{full}");
    expect(await files.ls(last.split(" ")[1])).toMatchObject({ code: "not_found" });
    expect(await files.delete("/d0")).toMatchObject({ path: "/d0" });
  });

  test("refuses a file over the limit and stores nothing", async () => {
    const { url } = (await start()).info;
    await using files = new RedisBackend({ url, maxFileBytes: 1000 });
    expect(await files.write("/a", "é".repeat(501))).toMatchObject({ code: "too_large" });
    expect(await files.write("/a", "x".repeat(990))).toMatchObject({ path: "/a" });
    expect(await files.edit("/a", "x", "xx", true)).toMatchObject({ code: "too_large" });
    expect((await files.ls("/")).files).toMatchObject([{ path: "/a", size: 990 }]);
  });

  test("lets a scratch space expire as a whole, some time after its last change", async () => {
    const { url } = (await start()).info;
    const client = connect(url);
    const files = new RedisBackend({ client, namespace: "scratch", ttlSeconds: 0.4 });
    await files.write("/a/b", "x");
    const first = (await files.read("/a/b")).version;
    const times = async (): Promise<number[]> =>
      Promise.all(
        ["files", "paths", "log"].map((key) => client.pexpiretime(`fs:{scratch}:${key}`)),
      );
    const before = await times();
    expect(new Set(before).size).toBe(1);
    await sleep(50);
    await files.edit("/a/b", "x", "y");
    const after = await times();
    expect(new Set(after).size).toBe(1);
    expect(after[0]).toBeGreaterThan(before[0] ?? 0);
    await sleep((after[0] ?? 0) - Date.now() + 20);
    expect(await files.ls("/")).toEqual({ files: [] });
    expect(await files.ls("/a")).toMatchObject({ code: "not_found" });
    await files.write("/a/b", "x");
    expect((await files.read("/a/b")).version).not.toBe(first);
  });

  test("answers unavailable where its keys hold something else", async () => {
    const { url } = (await start()).info;
    const client = connect(url);
    const files = new RedisBackend({ client, namespace: "taken" });
    await client.set("fs:{taken}:files", "not ours");
    expect(await files.write("/a", "x")).toMatchObject({ code: "unavailable" });
    expect(await files.read("/a")).toMatchObject({ code: "unavailable" });
    expect(await client.get("fs:{taken}:files")).toBe("not ours");
  });
});
