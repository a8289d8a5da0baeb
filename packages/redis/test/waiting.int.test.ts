import { randomUUID } from "node:crypto";
import { describeWithServer } from "@fs/test-servers/vitest";
import { startRedis, type RedisInfo, type TestServer } from "@fs/test-servers";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { RedisBackend } from "@fs/redis";

describeWithServer("redis", "What a call on RedisBackend waits for", () => {
  let server: TestServer<RedisInfo>;
  let client: Redis;
  let pid: number;
  let files: RedisBackend;
  beforeAll(async () => {
    // With a setting of its own it is a private server, which a test may stop.
    server = await startRedis({ config: {} });
    client = new Redis(server.info.url, { maxRetriesPerRequest: null });
    client.on("error", () => undefined);
    pid = Number(/^process_id:(\d+)/m.exec(await client.info("server"))?.[1]);
  });
  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });
  beforeEach(async () => {
    files = new RedisBackend({ client, namespace: randomUUID(), callTimeoutMs: 200 });
    await files.write("/a", "one");
  });
  afterEach(() => process.kill(pid, "SIGCONT"));

  const abortSoon = (): AbortSignal => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    return controller.signal;
  };

  test("a server that does not answer is timeout to a read, and an unknown outcome to a change", async () => {
    process.kill(pid, "SIGSTOP");
    expect(await files.read("/a")).toMatchObject({ code: "timeout" });
    expect(await files.ls("/")).toMatchObject({ code: "timeout" });
    expect(await files.grep("one")).toMatchObject({ code: "timeout" });
    for (const answer of [
      await files.write("/b", "x"),
      await files.edit("/a", "one", "two"),
      await files.move("/a", "/b"),
      await files.delete("/a"),
    ]) {
      expect(answer.code).toMatch(/unavailable|timeout/);
      if (answer.code === "unavailable")
        expect(answer.error).toContain("may or may not have been stored");
    }
    const uploads = await files.uploadFiles([
      ["/c", Buffer.from("c")],
      ["/d", Buffer.from("d")],
    ]);
    expect(uploads.map(({ code }) => code)).toEqual(["unavailable", "unavailable"]);
  });

  test("a watcher does not wait for a server that is silent", async () => {
    process.kill(pid, "SIGSTOP");
    const refused = await files.watch("/");
    expect(refused).toMatchObject({ code: "unavailable" });
    process.kill(pid, "SIGCONT");
    const { changes } = await files.watch("/");
    await files.write("/later", "x");
    for await (const { type, path } of changes ?? []) {
      expect([type, path]).toEqual(["created", "/later"]);
      break;
    }
    expect(changes).toBeDefined();
  });

  test("a signal frees a change, and later changes come after it", async () => {
    process.kill(pid, "SIGSTOP");
    const edited = await files.edit("/a", "one", "two", false, { signal: abortSoon() });
    expect(edited.code).toBe("aborted");
    expect(edited.error).toContain("may or may not have been stored");
    const later = files.edit("/a", "two", "three");
    process.kill(pid, "SIGCONT");
    expect((await later).error).toBeUndefined();
    expect((await files.read("/a")).content).toBe("three");
  });

  test("a replica is permission_denied to changes and readable", async () => {
    const replica = await startRedis({ config: {} });
    const admin = new Redis(replica.info.url);
    await admin.replicaof("127.0.0.1", new URL(server.info.url).port);
    await using copy = new RedisBackend({ url: replica.info.url, namespace: "replicated" });
    await new RedisBackend({ client, namespace: "replicated" }).write("/a", "x");
    await expect.poll(async () => (await copy.read("/a")).content).toBe("x");
    for (const refused of [
      await copy.write("/b", "x"),
      await copy.edit("/a", "x", "y"),
      await copy.move("/a", "/b"),
      await copy.delete("/a"),
    ]) {
      expect(refused.code).toBe("permission_denied");
      expect(refused.error).toContain("replica");
    }
    admin.disconnect();
    await replica.stop();
  });
});
