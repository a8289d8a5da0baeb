import { startRedisCluster } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { Cluster } from "ioredis";
import { expect, test } from "vitest";

describeWithServer("redis-cluster", "startRedisCluster", () => {
  test("three masters share the keys and keep them over a crash", async ({ skip }) => {
    const server = await startRedisCluster({ nodes: 3 });
    skip(server.external, "the cluster is not ours to kill");
    const before = new Cluster([...server.info.urls]);
    before.on("error", (error) => expect(error).toBeInstanceOf(Error));
    for (let n = 0; n < 60; n++) await before.set(`key-${n}`, n);
    const counts = await Promise.all(before.nodes("master").map((node) => node.dbsize()));
    expect(counts).toHaveLength(3);
    expect(counts.every((count) => count > 0)).toBe(true);
    before.disconnect();
    await server.kill();
    await server.restart();
    const after = new Cluster([...server.info.urls]);
    expect(await after.get("key-0")).toBe("0");
    expect(await after.get("key-59")).toBe("59");
    after.disconnect();
    await server.stop();
  });
});
