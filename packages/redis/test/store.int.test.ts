import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { InMemoryStore, type BaseStore } from "@langchain/langgraph-checkpoint";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { startPostgres, startRedis, startRedisCluster } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { RedisStore } from "@fs/redis/store";
import { Cluster, Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CountingClient } from "./counting-client.js";

/** The same cases for every store: what LangGraph code may rely on, whichever is behind it. */
function behavesAsAStore(name: string, create: () => Promise<BaseStore>): void {
  describe(`${name} as a BaseStore`, () => {
    let store: BaseStore;
    /** A root of its own for every case, so that a store may be shared. */
    let root: string;
    beforeAll(async () => {
      store = await create();
      await store.start();
    });
    afterAll(() => store.stop());
    const fresh = (): string => (root = `root-${randomUUID()}`);
    const keys = (items: ReadonlyArray<{ key: string }>): string[] =>
      items.map((item) => item.key).toSorted();

    test("puts, gets, replaces and deletes an item", async () => {
      const namespace = [fresh(), "a"];
      expect(await store.get(namespace, "k")).toBeNull();
      await store.put(namespace, "k", { n: 1, nested: { list: [1, "é", null, true] } });
      const first = await store.get(namespace, "k");
      expect(first).toMatchObject({
        namespace,
        key: "k",
        value: { n: 1, nested: { list: [1, "é", null, true] } },
      });
      expect(first?.createdAt).toBeInstanceOf(Date);
      const created = first?.createdAt.getTime();
      await sleep(5);
      await store.put(namespace, "k", { n: 2 });
      const second = await store.get(namespace, "k");
      expect(second?.value).toEqual({ n: 2 });
      expect(second?.createdAt.getTime()).toBe(created);
      expect(second?.updatedAt.getTime()).toBeGreaterThan(created ?? Infinity);
      await store.delete(namespace, "k");
      expect(await store.get(namespace, "k")).toBeNull();
      await store.delete(namespace, "k");
    });

    test("takes any key and any label that LangGraph allows", async () => {
      const labels = ["auth0|123", "a@b", "with space", "é🙂", "{x}", "a/b", "-"];
      fresh();
      for (const label of labels) await store.put([root, label], `${label}/k.x`, { label });
      for (const label of labels) {
        expect((await store.get([root, label], `${label}/k.x`))?.value).toEqual({ label });
        expect(await store.search([root, label])).toHaveLength(1);
      }
    });

    test("searches a namespace with all below it", async () => {
      fresh();
      await store.put([root, "a"], "1", { n: 1 });
      await store.put([root, "a", "b"], "2", { n: 2 });
      await store.put([root, "c"], "3", { n: 3 });
      expect(keys(await store.search([root]))).toEqual(["1", "2", "3"]);
      expect(keys(await store.search([root, "a"]))).toEqual(["1", "2"]);
      expect(keys(await store.search([root, "a", "b"]))).toEqual(["2"]);
      expect(await store.search([root, "none"])).toEqual([]);
      const [item] = await store.search([root, "a", "b"]);
      expect(item).toMatchObject({ namespace: [root, "a", "b"], key: "2", value: { n: 2 } });
    });

    test("filters by fields and operators", async () => {
      const namespace = [fresh()];
      const values = [
        { color: "red", size: 1, on: true },
        { color: "red", size: 2, on: false },
        { color: "blue", size: 3, on: true },
        { color: 'qu"ote\\', size: 10, on: false },
      ];
      for (const [i, value] of values.entries()) await store.put(namespace, `${i}`, value);
      const found = async (filter: Record<string, unknown>): Promise<string[]> =>
        keys(await store.search(namespace, { filter }));
      expect(await found({ color: "red" })).toEqual(["0", "1"]);
      expect(await found({ color: "red", size: 2 })).toEqual(["1"]);
      expect(await found({ on: true })).toEqual(["0", "2"]);
      expect(await found({ color: 'qu"ote\\' })).toEqual(["3"]);
      expect(await found({ color: { $eq: "blue" } })).toEqual(["2"]);
      expect(await found({ color: { $ne: "red" } })).toEqual(["2", "3"]);
      expect(await found({ size: { $gt: 2 } })).toEqual(["2", "3"]);
      expect(await found({ size: { $gte: 2, $lt: 10 } })).toEqual(["1", "2"]);
      expect(await found({ size: { $lte: 1 } })).toEqual(["0"]);
      expect(await found({ size: { $in: [1, 10] } })).toEqual(["0", "3"]);
      expect(await found({ size: { $nin: [1, 10] } })).toEqual(["1", "2"]);
      expect(await found({ missing: "x" })).toEqual([]);
    });

    test("pages do not overlap and leave nothing out", async () => {
      const namespace = [fresh()];
      const names = Array.from({ length: 37 }, (_, i) => `k${String(i).padStart(2, "0")}`);
      for (const [i, key] of names.entries()) {
        await store.put(namespace, key, { even: i % 2 === 0 });
      }
      const pages: string[] = [];
      for (let offset = 0; offset < 40; offset += 10) {
        pages.push(...keys(await store.search(namespace, { limit: 10, offset })));
      }
      expect(pages.toSorted()).toEqual(names);
      expect(await store.search(namespace)).toHaveLength(10);
      expect(await store.search(namespace, { limit: 5, offset: 35 })).toHaveLength(2);
      const even: string[] = [];
      for (let offset = 0; offset < 20; offset += 7) {
        const filter = { even: true };
        even.push(...keys(await store.search(namespace, { filter, limit: 7, offset })));
      }
      expect(even.toSorted()).toEqual(names.filter((_, i) => i % 2 === 0));
    });

    test("lists namespaces, by beginning, end and page", async () => {
      fresh();
      const paths = [
        ["a", "x"],
        ["a", "y"],
        ["b", "x"],
        ["b", "x", "z"],
      ];
      for (const path of paths) await store.put([root, ...path], "k", { n: 1 });
      const listed = async (
        options: Parameters<BaseStore["listNamespaces"]>[0],
      ): Promise<string[]> =>
        (await store.listNamespaces(options)).map((path) => path.slice(1).join("/")).toSorted();
      expect(await listed({ prefix: [root] })).toEqual(["a/x", "a/y", "b/x", "b/x/z"]);
      expect(await listed({ prefix: [root, "b"] })).toEqual(["b/x", "b/x/z"]);
      expect(await listed({ prefix: [root], suffix: ["x"] })).toEqual(["a/x", "b/x"]);
      const first = await store.listNamespaces({ prefix: [root], limit: 3 });
      const rest = await store.listNamespaces({ prefix: [root], limit: 3, offset: 3 });
      expect(new Set([...first, ...rest].map(String)).size).toBe(4);
    });

    test("answers a batch in order", async () => {
      const namespace = [fresh()];
      await store.put(namespace, "old", { n: 0 });
      const results = await store.batch([
        { namespace, key: "old" },
        { namespace, key: "none" },
        { namespacePrefix: namespace, limit: 10, offset: 0 },
        { namespace, key: "new", value: { n: 1 } },
        { matchConditions: [{ matchType: "prefix", path: [root] }], limit: 10, offset: 0 },
      ]);
      expect(results[0]).toMatchObject({ key: "old", value: { n: 0 } });
      expect(results[1]).toBeNull();
      expect(results[2]).toHaveLength(1);
      expect(results[3] ?? undefined).toBeUndefined();
      expect(results[4]).toEqual([namespace]);
      expect((await store.get(namespace, "new"))?.value).toEqual({ n: 1 });
      await store.batch([{ namespace, key: "old", value: null }]);
      expect(await store.get(namespace, "old")).toBeNull();
    });

    test("refuses namespaces that LangGraph forbids", async () => {
      await expect(store.put([], "k", {})).rejects.toThrow("Namespace");
      await expect(store.put(["a.b"], "k", {})).rejects.toThrow("period");
      await expect(store.put(["a", ""], "k", {})).rejects.toThrow("empty");
      await expect(store.put(["langgraph"], "k", {})).rejects.toThrow("langgraph");
    });
  });
}

behavesAsAStore("InMemoryStore", async () => new InMemoryStore());

describeWithServer("postgres", "PostgresStore", () => {
  let stop: () => Promise<void> = async () => undefined;
  behavesAsAStore("PostgresStore", async () => {
    const server = await startPostgres();
    stop = () => server.stop();
    return PostgresStore.fromConnString(server.info.url);
  });
  afterAll(() => stop());
});

describeWithServer("redis", "RedisStore", () => {
  let stop: () => Promise<void> = async () => undefined;
  behavesAsAStore("RedisStore", async () => {
    const server = await startRedis();
    stop = () => server.stop();
    return new RedisStore({ url: server.info.url });
  });
  afterAll(() => stop());
});

describeWithServer("redis-cluster", "RedisStore on a cluster", () => {
  let stop: () => Promise<void> = async () => undefined;
  behavesAsAStore("RedisStore on a cluster", async () => {
    const server = await startRedisCluster();
    const client = new Cluster([...server.info.urls]);
    stop = async () => {
      client.disconnect();
      await server.stop();
    };
    return new RedisStore({ client });
  });
  afterAll(() => stop());
});

describeWithServer("redis", "RedisStore beyond the others", () => {
  let server: Awaited<ReturnType<typeof startRedis>>;
  let client: Redis;
  let spaces = 0;
  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.info.url);
  });
  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });
  const create = (options: Partial<ConstructorParameters<typeof RedisStore>[0]> = {}): RedisStore =>
    new RedisStore({ client, name: `store ${++spaces}`, ...options });

  test("never takes a namespace for another that begins alike", async () => {
    const store = create();
    await store.put(["users", "1"], "k", { of: 1 });
    await store.put(["users", "10"], "k", { of: 10 });
    await store.put(["users", "1%"], "k", { of: "%" });
    await store.put(["users", "1\u0001"], "k", { of: "\u0001" });
    await store.put(["users"], "1", { of: "users" });
    const found = await store.search(["users", "1"]);
    expect(found.map((item) => item.value)).toEqual([{ of: 1 }]);
    expect(await store.search(["users"])).toHaveLength(5);
    expect(await store.search([])).toHaveLength(5);
    expect(await store.listNamespaces({ prefix: ["users", "1"] })).toEqual([["users", "1"]]);
    expect(await store.listNamespaces({ maxDepth: 1 })).toEqual([["users"]]);
    expect(await store.listNamespaces({ prefix: ["*", "10"] })).toEqual([["users", "10"]]);
  });

  test("lets items expire on their own and keeps those that are read", async () => {
    const store = create({ ttl: { defaultTtl: 0.3 / 60, refreshOnRead: true } });
    await store.put(["a"], "read", { n: 1 });
    await store.put(["a"], "forgotten", { n: 2 });
    await store.put(["a"], "kept", { n: 3 }, undefined, { ttl: 0 });
    for (let n = 0; n < 4; n++) {
      await sleep(120);
      expect((await store.get(["a"], "read"))?.value).toEqual({ n: 1 });
    }
    expect(await store.get(["a"], "forgotten")).toBeNull();
    expect((await store.search(["a"])).map((item) => item.key)).toEqual(["kept", "read"]);
    await sleep(350);
    await store.put(["b"], "k", { n: 1 }, undefined, { ttl: 0.001 / 60 });
    await sleep(5);
    expect(await store.listNamespaces()).toEqual([["a"]]);
    expect(await client.hlen(`fs-store:{store%20${spaces}}:items`)).toBe(1);
    await expect(store.put(["a.b"], "k", {}, undefined, { ttl: 1 })).rejects.toThrow("period");
  });

  test("filters on the server: what does not match does not travel", async () => {
    const store = create();
    const puts = Array.from({ length: 1000 }, (_, i) => ({
      namespace: ["n"],
      key: `${i}`,
      value: { dir: `/d${i % 100}`, text: "x".repeat(1000) },
    }));
    await store.batch(puts);
    const sent = async (task: () => Promise<unknown>): Promise<number> => {
      const read = async (): Promise<number> =>
        Number(/total_net_output_bytes:(\d+)/.exec(await client.info("stats"))?.[1]);
      const before = await read();
      await task();
      return (await read()) - before;
    };
    const some = await sent(async () => {
      const found = await store.search(["n"], { filter: { dir: "/d7" }, limit: 1000 });
      expect(found).toHaveLength(10);
    });
    const all = await sent(() => store.search(["n"], { limit: 1000 }));
    expect(some * 20).toBeLessThan(all);
    const skipped = await sent(() => store.search(["n"], { limit: 1, offset: 990 }));
    expect(skipped * 50).toBeLessThan(all);
  });

  test("one round trip for a get, a put, a batch of either and a small search", async () => {
    const counting = new CountingClient(client);
    const store = create({ client: counting });
    await store.put(["a"], "warm", {});
    await store.get(["a"], "warm");
    await store.search(["a"]);
    const gets = Array.from({ length: 50 }, (_, i) => ({ namespace: ["a"], key: `${i}` }));
    const puts = gets.map((get, i) => ({ ...get, value: { i } }));
    expect(await counting.during(() => store.put(["a"], "b", { n: 1 }))).toBe(1);
    expect(await counting.during(() => store.get(["a"], "b"))).toBe(1);
    expect(await counting.during(() => store.batch(puts))).toBe(1);
    expect(await counting.during(() => store.batch(gets))).toBe(1);
    expect(await counting.during(() => store.search(["a"]))).toBe(1);
  });

  test("says what it cannot do, without its URL", async () => {
    const store = create();
    await store.put(["a"], "k", { n: 1 });
    await expect(store.search(["a"], { filter: { n: { $regex: "1" } } })).rejects.toThrow("$regex");
    await expect(store.get(["a", "\ud800"], "k")).rejects.toThrow("well-formed");
    await using away = new RedisStore({ url: "redis://:secret@127.0.0.1:1" });
    const failed = await away.get(["a"], "k").catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "unavailable" });
    expect(String(failed)).not.toContain("secret");
  });
});
