import {
  startRedis,
  startRedisCluster,
  type RedisClusterServer,
  type RedisInfo,
  type TestServer,
} from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { Cluster, Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { RedisBackend } from "@fs/redis";
import { assertWhole } from "./whole.js";

describeWithServer("redis", "a server with a replica", () => {
  const servers: TestServer<RedisInfo>[] = [];
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });
  const start = async (config: Record<string, string> = {}): Promise<TestServer<RedisInfo>> => {
    const server = await startRedis({ config });
    servers.push(server);
    return server;
  };
  const ask = async ({ info }: TestServer<RedisInfo>, ...command: string[]): Promise<unknown> => {
    const client = new Redis(info.url);
    const [name = "", ...args] = command;
    try {
      return await client.call(name, ...args);
    } finally {
      client.disconnect();
    }
  };

  test("the replica answers reads and refuses changes, and takes them once it is promoted", async () => {
    const master = await start();
    const replica = await start({ replicaof: `127.0.0.1 ${new URL(master.info.url).port}` });
    await using files = new RedisBackend({ url: master.info.url });
    await using copy = new RedisBackend({ url: replica.info.url });
    await files.write("/d/a", "needle\n");
    await expect.poll(async () => (await copy.read("/d/a")).content).toBe("needle\n");
    expect((await copy.ls("/")).files).toHaveLength(1);
    expect((await copy.glob("**")).files).toHaveLength(1);
    expect((await copy.grep("needle")).matches).toHaveLength(1);
    for (const refused of [
      await copy.write("/b", "x"),
      await copy.edit("/d/a", "needle", "thread"),
      await copy.delete("/d/a"),
      await copy.delete("/d"),
      await copy.move("/d/a", "/b"),
      await copy.move("/d", "/e"),
      await copy.copy("/d/a", "/b"),
    ]) {
      expect(refused.code).toBe("permission_denied");
      expect(refused.error).toContain("is a replica");
    }
    await ask(replica, "REPLICAOF", "NO", "ONE");
    expect(await copy.edit("/d/a", "needle", "thread")).toMatchObject({ occurrences: 1 });
    // The one that was the master is the replica now: its backend says so, and reads what the other stored.
    await ask(master, "REPLICAOF", "127.0.0.1", new URL(replica.info.url).port);
    expect((await files.write("/b", "x")).code).toBe("permission_denied");
    await expect.poll(async () => (await files.read("/d/a")).content).toBe("thread\n");
  });
});

describeWithServer("redis-cluster", "a cluster with a replica for each master", () => {
  let server: RedisClusterServer;
  let admin: Cluster;
  const connect = (): Cluster => {
    const client = new Cluster([...server.info.urls]);
    client.on("error", () => undefined);
    return client;
  };
  beforeAll(async () => {
    server = await startRedisCluster({ replicas: 1, nodeTimeoutMs: 1000 });
    admin = connect();
  });
  afterAll(async () => {
    admin?.disconnect();
    await server?.stop();
  });

  /** The port of the master that holds the keys of a namespace now. */
  const masterOf = async (namespace: string): Promise<number> => {
    const slot = await admin.cluster("KEYSLOT", `fs:{${namespace}}:files`);
    const slots = await admin.cluster("SLOTS");
    const [, , master] = slots.find(([from, to]) => slot >= from && slot <= to) ?? [];
    if (master === undefined) throw new Error("no node holds the slot");
    return master[1];
  };

  test("a failover while calls run: what a replica had stays, nothing is done twice or half", async () => {
    const namespace = "failover";
    const client = connect();
    const limits = { callTimeoutMs: 3000 };
    const files = new RedisBackend({ client, namespace, ...limits });
    await files.write("/log", "|");
    const acknowledged: string[] = [];
    const codes = new Set<string | undefined>();
    const over = new AbortController();
    const work = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; !over.signal.aborted; n++) {
        const token = `<${writer}.${n}>`;
        const { error, code } = await files.edit("/log", "|", `${token}|`);
        if (error === undefined) acknowledged.push(token);
        codes.add(code);
        const path = `/d/${writer}/${n}`;
        // Only this client writes here: "already there" would be this very call, done and then denied.
        expect((await files.write(path, path)).code).not.toBe("already_exists");
      }
    });
    const reach = async (count: number): Promise<void> => {
      await expect.poll(() => acknowledged.length).toBeGreaterThan(count);
    };
    await reach(30);
    const master = await masterOf(namespace);
    // A replica that has what was acknowledged until here: a failover loses at most what comes after.
    const kept = [...acknowledged];
    const direct = new Redis(master, "127.0.0.1");
    const offset = async (): Promise<string[]> =>
      /slave0:.*offset=(\d+)[^]*master_repl_offset:(\d+)/
        .exec(await direct.info("replication"))
        ?.slice(1) ?? [];
    const [, target] = await offset();
    await expect
      .poll(async () => Number((await offset())[0]))
      .toBeGreaterThanOrEqual(Number(target));
    direct.disconnect();
    await server.killNode(master);
    const before = acknowledged.length;
    await reach(before + 30);
    expect(await masterOf(namespace)).not.toBe(master);
    const since = acknowledged.slice(before);
    over.abort();
    await Promise.all(work);
    const text = String((await files.readRaw("/log")).data?.content);
    const found: string[] = text.match(/<[^>]*>/g) ?? [];
    expect(new Set(found).size).toBe(found.length);
    expect([...kept, ...since].filter((token) => !found.includes(token))).toEqual([]);
    // Whether a call outlives the time without a master is a matter of time; that no other refusal comes is not.
    expect([...codes].filter((code) => code !== undefined && code !== "unavailable")).toEqual([]);
    await assertWhole(client, `fs:{${namespace}}`);
    // The node that failed comes back as a replica, and changes nothing.
    await server.restartNode(master);
    expect(await files.write("/after", "x")).toMatchObject({ path: "/after" });
    await assertWhole(client, `fs:{${namespace}}`);
    client.disconnect();
  });
});
