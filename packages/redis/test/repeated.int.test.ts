import { randomUUID } from "node:crypto";
import { describeWithServer } from "@fs/test-servers/vitest";
import type { Redis } from "ioredis";
import { expect, test } from "vitest";
import { RedisBackend } from "@fs/redis";
import type { CommandArgument } from "../src/client.js";
import { assertWhole } from "./whole.js";
import { CountingClient } from "./counting-client.js";
import { startRedisForSuite } from "./redis-per-suite.js";

/** Sends every script twice, as a client does whose connection was cut before the answer; what happens in between is given. */
class RepeatingClient extends CountingClient {
  readonly #redis: Redis;
  between: (() => Promise<unknown>) | undefined;

  constructor(redis: Redis) {
    super(redis);
    this.#redis = redis;
  }

  override async callBuffer(command: string, args: CommandArgument[]): Promise<unknown> {
    const { between } = this;
    if (between === undefined) return super.callBuffer(command, args);
    this.between = undefined;
    await this.#redis.callBuffer(command, args);
    await between();
    return super.callBuffer(command, args);
  }
}

describeWithServer("redis", "A change that a client sends again", () => {
  const suite = startRedisForSuite();

  const pair = async (): Promise<{
    client: RepeatingClient;
    files: RedisBackend;
    peer: RedisBackend;
    tag: string;
  }> => {
    const namespace = randomUUID();
    const client = new RepeatingClient(suite.redis);
    const files = new RedisBackend({ client, namespace });
    const peer = new RedisBackend({ client: suite.redis, namespace });
    await files.write("/a", "|");
    await files.edit("/a", "|", "0|");
    await files.copy("/a", "/b");
    await peer.write("/p", "|");
    return { client, files, peer, tag: `fs:{${namespace}}` };
  };

  test("is done once, however many changes of others come in between", async () => {
    const { client, files, peer, tag } = await pair();
    const busy = async (): Promise<void> => {
      for (let n = 0; n < 20; n++)
        await peer.uploadFiles(
          Array.from({ length: 100 }, (_, i): [string, Uint8Array] => [
            `/busy/${i}`,
            Buffer.from(`${n}`),
          ]),
        );
    };
    client.between = busy;
    expect(await files.edit("/a", "|", "1|")).toMatchObject({ occurrences: 1 });
    expect((await files.read("/a")).content).toBe("01|");
    client.between = busy;
    expect((await files.write("/new", "x")).error).toBeUndefined();
    client.between = busy;
    expect((await files.delete("/new")).error).toBeUndefined();
    await assertWhole(suite.redis, tag);
  });

  test("leaves no more in the log than waits for an answer", async () => {
    const { files, peer, tag } = await pair();
    for (let n = 0; n < 300; n++) {
      await files.edit("/a", "|", "1|");
      await peer.edit("/p", "|", "1|");
    }
    const fields = await suite.redis.hkeys(`${tag}:log`);
    expect(fields.filter((field) => field.startsWith("o")).length).toBeLessThanOrEqual(4);
  });

  test("is an unknown outcome where the server has forgotten the client, and the next change is not", async () => {
    const { client, files, tag } = await pair();
    client.between = () => suite.redis.del(`${tag}:log`);
    const edited = await files.edit("/a", "|", "1|");
    expect(edited.code).toBe("unavailable");
    expect(edited.error).toContain("may or may not have been stored");
    expect((await files.read("/a")).content).toBe("01|");
    expect(await files.edit("/a", "|", "2|")).toMatchObject({ occurrences: 1 });
    expect((await files.read("/a")).content).toBe("012|");
  });

  test("a lost index is made again in slices, and by every kind of change", async () => {
    const { client, files, tag } = await pair();
    await files.uploadFiles(
      Array.from({ length: 200 }, (_, n): [string, Uint8Array] => [
        `/d${n % 7}/${n}-🙂`,
        Buffer.from("x".repeat(n % 100)),
      ]),
    );
    const changes = [
      () => files.edit("/a", "|", "1|"),
      () => files.write(`/${randomUUID()}`, "x"),
      () =>
        files.uploadFiles([
          [`/${randomUUID()}`, Buffer.from("x")],
          ["/b", Buffer.from("y")],
        ]),
      () => files.move("/a", "/e", { overwrite: true }),
      () => files.delete("/d1"),
    ];
    for (const change of changes) {
      await suite.redis.del(`${tag}:paths`);
      // One command for each slice of the index, and one for the change itself and its repetition.
      expect(await client.during(change)).toBeGreaterThan(3);
      await assertWhole(suite.redis, tag);
      await files.copy("/e", "/a");
      expect(await suite.redis.exists(`${tag}:paths:healing`)).toBe(0);
    }
    await suite.redis.del(`${tag}:paths`);
    await Promise.all(changes.slice(1, 3).map((change) => change()));
    await assertWhole(suite.redis, tag);
  });

  test("a text that occurs thousands of times is replaced by one script", async () => {
    const { client, files } = await pair();
    const text = "needle of hay\n".repeat(9000) + "x".repeat(600_000);
    await files.write("/many", text);
    const edited = await client.during(async () => {
      expect(await files.edit("/many", "needle", "pin", true)).toMatchObject({ occurrences: 9000 });
    });
    expect(edited).toBe(1);
    expect(String((await files.readRaw("/many")).data?.content)).toBe(
      text.replaceAll("needle", "pin"),
    );
  });
});
