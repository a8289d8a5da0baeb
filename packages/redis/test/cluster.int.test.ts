import { describeWithServer } from "@fs/test-servers/vitest";
import { startRedisCluster, type RedisClusterInfo, type TestServer } from "@fs/test-servers";
import { Cluster } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RedisBackend } from "@fs/redis";
import { assertWhole } from "./whole.js";

describeWithServer("redis-cluster", "RedisBackend on a cluster of three nodes", () => {
  let server: TestServer<RedisClusterInfo>;
  let cluster: Cluster;

  const connect = (): Cluster => {
    const client = new Cluster([...server.info.urls]);
    client.on("error", () => undefined);
    return client;
  };

  beforeAll(async () => {
    server = await startRedisCluster();
    cluster = connect();
  });
  afterAll(async () => {
    cluster.disconnect();
    await server.stop();
  });

  test("spreads namespaces over the nodes and keeps each on one", async () => {
    const tags = Array.from({ length: 12 }, (_, i) => `space-${i}`);
    const slots = new Set<number>();
    for (const namespace of tags) {
      const files = new RedisBackend({ client: cluster, namespace });
      expect(await files.write("/a/b", namespace)).toMatchObject({ path: "/a/b" });
      expect(await files.read("/a/b")).toMatchObject({ content: namespace });
      const own = await Promise.all(
        ["files", "paths", "log"].map((key) =>
          cluster.cluster("KEYSLOT", `fs:{${namespace}}:${key}`),
        ),
      );
      expect(new Set(own).size).toBe(1);
      slots.add(Math.floor((Number(own[0]) * 3) / 16384));
    }
    expect(slots.size).toBe(3);
  });

  test("does every kind of call, and applies the edits of two clients", async () => {
    const other = connect();
    try {
      const files = new RedisBackend({ client: cluster, namespace: "all" });
      const peer = new RedisBackend({ client: other, namespace: "all" });
      const names = Array.from({ length: 40 }, (_, i) => `/d/${i}`);
      const upload = names.map((name): [string, Uint8Array] => [name, Buffer.from(`in ${name}`)]);
      for (const { error } of await files.uploadFiles(upload)) expect(error).toBeNull();
      expect((await peer.downloadFiles(names)).map((file) => String(file.content))).toEqual(
        upload.map(([, bytes]) => String(new Uint8Array(bytes))),
      );
      expect((await peer.grep("in /d/39")).matches).toHaveLength(1);
      expect(await peer.move("/d", "/e")).toEqual({ path: "/e", files: 40 });
      expect(await files.copy("/e/1", "/f/1")).toEqual({ path: "/f/1", files: 1 });
      await files.write("/list", "|");
      const edits = Array.from({ length: 40 }, (_, i) =>
        (i % 2 === 0 ? files : peer).edit("/list", "|", `${i}|`),
      );
      for (const edit of await Promise.all(edits)) expect(edit).toMatchObject({ occurrences: 1 });
      await assertWhole(cluster, "fs:{all}");
      expect(await files.delete("/e")).toMatchObject({ path: "/e" });
      await assertWhole(cluster, "fs:{all}");
    } finally {
      other.disconnect();
    }
  });

  test("tells watchers of changes that another client makes", async () => {
    const files = new RedisBackend({ client: cluster, namespace: "watched" });
    const { changes } = await files.watch("/in");
    const other = connect();
    await new RedisBackend({ client: other, namespace: "watched" }).write("/in/a", "x");
    other.disconnect();
    for await (const change of changes ?? []) {
      expect(change).toEqual({ type: "created", path: "/in/a" });
      break;
    }
    expect(changes).toBeDefined();
  });

  test("reports a lost connection to a node to a watcher, and listens to another", async () => {
    const files = new RedisBackend({ client: cluster, namespace: "cut" });
    const { changes } = await files.watch("/in");
    const seen: string[] = [];
    // Once: the node to which the watcher moves on is to be left alone.
    const cut = async (): Promise<void> => {
      for (const node of cluster.nodes("all"))
        if (Number(await node.call("CLIENT", "KILL", "TYPE", "pubsub")) > 0) return;
      throw new Error("No node has a watcher.");
    };
    await cut();
    for await (const { type, path } of changes ?? []) {
      // The nodes pass a change on to each other: one that was reported by the lost node may still be on its way to the next.
      if (seen.at(-1) === `${type} ${path}`) continue;
      seen.push(`${type} ${path}`);
      if (seen.length === 1) await files.write("/in/a", "x");
      if (seen.length === 2) await cut();
      if (seen.length === 3) break;
    }
    expect(seen).toEqual(["changed /in", "created /in/a", "changed /in"]);
  });

  test("a watcher ends with the client, also between two nodes", async () => {
    const client = connect();
    const { changes } = await new RedisBackend({ client, namespace: "cut" }).watch();
    client.disconnect();
    const all = cluster.nodes("all");
    await Promise.all(all.map((node) => node.call("CLIENT", "KILL", "TYPE", "pubsub")));
    for await (const change of changes ?? []) expect(change).toBeUndefined();
    expect(changes).toBeDefined();
  });

  test("keeps what it acknowledged when every node is killed and started again", async () => {
    const client = connect();
    try {
      const files = new RedisBackend({ client, namespace: "killed" });
      const kept: string[] = [];
      const over = new AbortController();
      const writing = (async () => {
        for (let n = 0; !over.signal.aborted; n++) {
          const path = `/d${n % 9}/${n}`;
          const written = await files.write(path, path);
          expect(written.code).not.toBe("already_exists");
          if (written.error === undefined) kept.push(path);
        }
      })();
      await expect.poll(() => kept.length).toBeGreaterThan(20);
      await server.kill();
      await server.restart();
      over.abort();
      await writing;
      const after = connect();
      try {
        await assertWhole(after, "fs:{killed}");
        const again = new RedisBackend({ client: after, namespace: "killed" });
        for (const path of kept) expect(await again.read(path)).toMatchObject({ content: path });
      } finally {
        after.disconnect();
      }
    } finally {
      client.disconnect();
    }
  });
});
