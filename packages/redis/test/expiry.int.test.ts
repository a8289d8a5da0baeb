import { startRedis, type RedisInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { RedisBackend } from "@fs/redis";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";

describeWithServer("redis", "the warning of a large namespace that expires", () => {
  let server: TestServer<RedisInfo>;
  let client: Redis;
  const warnings: string[] = [];
  const note = (warning: Error & { code?: string }): void => {
    if (warning.code === "FS_REDIS_LAZYFREE") warnings.push(warning.message);
  };

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.info.url);
    process.on("warning", note);
  });
  afterAll(async () => {
    process.removeListener("warning", note);
    client.disconnect();
    await server.stop();
  });

  /** Keys of a namespace with a hundred thousand files. */
  const many = ["many:files", "many:paths"] as const;
  const seed = async (): Promise<void> => {
    const script = `
      for i = ARGV[1], ARGV[1] + 4999 do
        redis.call('hset', KEYS[1], 'c/f' .. i, 'x', 'm/f' .. i, 'raw-' .. i .. ' 1 1 1 1')
        redis.call('zadd', KEYS[2], 0, '/f' .. i)
      end`;
    for (let from = 0; from < 100_000; from += 5000) await client.eval(script, 2, ...many, from);
  };

  /** Writes into a namespace that holds these files or none. Warnings come a turn later. */
  const write = async (
    name: string,
    holds: "many" | "none",
    options: { ttlSeconds?: number },
    given = client,
  ): Promise<void> => {
    if (holds === "many")
      for (const key of many) await client.copy(key, key.replace("many", `fs:{${name}}`));
    const files = new RedisBackend({ client: given, namespace: name, ...options });
    expect((await files.write("/a", "x")).error).toBeUndefined();
    const [uploaded] = await files.uploadFiles([["/b", new Uint8Array(1)]]);
    expect(uploaded?.error).toBeNull();
    await new Promise(setImmediate);
  };

  test("comes once, and only where files are many, expire, and are freed in one go", async () => {
    await seed();
    const ttlSeconds = 3600;
    await client.config("SET", "lazyfree-lazy-expire", "yes");
    await write("freed-beside", "many", { ttlSeconds });
    await client.config("SET", "lazyfree-lazy-expire", "no");
    await write("small", "none", { ttlSeconds });
    await write("kept", "many", {});
    await client.call(
      "ACL",
      "SETUSER",
      "lean",
      "on",
      ">secret",
      "allkeys",
      "&*",
      "+@all",
      "-config",
    );
    const lean = client.duplicate({ username: "lean", password: "secret" });
    await write("may-not-ask", "many", { ttlSeconds }, lean);
    lean.disconnect();
    expect(warnings).toEqual([]);
    await write("large", "many", { ttlSeconds });
    await write("another", "many", { ttlSeconds });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain("lazyfree-lazy-expire yes");
  });
});
