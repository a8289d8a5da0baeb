import { startRedis } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { Redis } from "ioredis";
import { expect, test } from "vitest";

describeWithServer("redis", "startRedis", () => {
  test("answers over TCP", async () => {
    const server = await startRedis();
    const redis = new Redis(server.info.url);
    await redis.set("fs-test-servers", "v");
    expect(await redis.getdel("fs-test-servers")).toBe("v");
    redis.disconnect();
    await server.stop();
  });

  test("answers over its unix socket", async ({ skip }) => {
    const server = await startRedis();
    const { socket } = server.info;
    if (socket === undefined) return skip("a server from the environment has no socket here");
    const redis = new Redis(socket);
    expect(await redis.ping()).toBe("PONG");
    redis.disconnect();
    await server.stop();
  });

  test("a durable one keeps what it acknowledged over a crash", async () => {
    const server = await startRedis({ durable: true });
    const before = new Redis(server.info.url, { retryStrategy: () => null });
    before.on("error", (error) => expect(error.message).toContain("ECONN"));
    for (let n = 0; n < 200; n++) await before.rpush("kept", n);
    await server.kill();
    before.disconnect();
    await server.restart();
    const after = new Redis(server.info.url);
    expect(await after.llen("kept")).toBe(200);
    after.disconnect();
    await server.stop();
  });

  test("takes settings", async () => {
    const server = await startRedis({ config: { maxmemory: "5mb" } });
    const redis = new Redis(server.info.url);
    expect(await redis.config("GET", "maxmemory")).toEqual(["maxmemory", `${5 * 1024 * 1024}`]);
    redis.disconnect();
    await server.stop();
  });

  test("one that cannot start says why", async () => {
    await expect(startRedis({ config: { "no-such-setting": "1" } })).rejects.toThrow(
      /Bad directive or wrong number of arguments/,
    );
  });
});
