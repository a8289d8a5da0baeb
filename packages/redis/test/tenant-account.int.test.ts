import { readFileSync } from "node:fs";
import { RedisBackend } from "@fs/redis";
import { type RedisInfo, startRedis, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";

const page = readFileSync(new URL("../../../docs/operating/redis.md", import.meta.url), "utf8");
const ACCOUNT = /^ACL (SETUSER agent .*)$/m.exec(page)?.[1]?.split(" ") ?? [];

describeWithServer("redis", "the account of one tenant, as the page on operating says", () => {
  let server: TestServer<RedisInfo>;
  let owner: Redis;
  let url: string;
  beforeAll(async () => {
    server = await startRedis();
    owner = new Redis(server.info.url);
    await owner.call("ACL", ...ACCOUNT);
    const tenant = new URL(server.info.url);
    tenant.username = "agent";
    tenant.password = "secret";
    url = tenant.href;
  });
  afterAll(async () => {
    await owner.call("ACL", "DELUSER", "agent");
    owner.disconnect();
    await server.stop();
  });

  test.each([{}, { ttlSeconds: 60 }])("does all that a backend does, with %o", async (options) => {
    const errors: unknown[] = [];
    await using files = new RedisBackend({
      url,
      namespace: "user-42",
      ...options,
      onError: (error) => errors.push(error),
    });
    const stop = new AbortController();
    const { changes } = await files.watch("/", { signal: stop.signal });
    const results = [
      await files.write("/d/a", "one"),
      await files.edit("/d/a", "one", "two"),
      await files.multiEdit("/d/a", [{ old: "two", new: "three" }]),
      await files.read("/d/a"),
      await files.ls("/d"),
      await files.glob("**/*"),
      await files.grep("three"),
      await files.stat("/d/a"),
      await files.copy("/d", "/e"),
      await files.move("/e", "/f"),
      await files.delete("/f"),
    ];
    expect(results.map(({ error }) => error)).toEqual(results.map(() => undefined));
    const [up] = await files.uploadFiles([["/d/b", new Uint8Array(9)]]);
    const [down] = await files.downloadFiles(["/d/b"]);
    expect([up?.error, down?.error, errors]).toEqual([null, null, []]);
    for await (const { path } of changes ?? []) {
      expect(path).toBe("/d/a");
      break;
    }
    stop.abort();
    await files.delete("/d");
  });

  test("reaches nothing of another", async () => {
    await using other = new RedisBackend({ url: server.info.url, namespace: "user-43" });
    await other.write("/a", "theirs");
    const tenant = new Redis(url);
    const commands = [
      ["KEYS", "*"],
      ["SCAN", "0"],
      ["RANDOMKEY"],
      ["DBSIZE"],
      ["FLUSHALL"],
      ["FLUSHDB"],
      ["SWAPDB", "0", "1"],
      ["CLIENT", "LIST"],
      ["SCRIPT", "FLUSH"],
      ["FUNCTION", "FLUSH"],
      ["HGETALL", "fs:{user-43}:files"],
      ["SUBSCRIBE", "fs:{user-43}:files"],
      ["EVAL", "return redis.call('FLUSHALL')", "0"],
    ] as const;
    for (const [command, ...args] of commands)
      await expect(tenant.call(command, ...args)).rejects.toThrow(
        /NOPERM|permissions|executing the script/,
      );
    tenant.disconnect();
    expect((await other.read("/a")).content).toBe("theirs");
  });
});
