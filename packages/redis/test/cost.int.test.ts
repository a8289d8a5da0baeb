import { describeWithServer } from "@fs/test-servers/vitest";
import { startRedis, type RedisInfo, type TestServer } from "@fs/test-servers";
import { Redis } from "ioredis";
import { afterAll, beforeAll, expect, test } from "vitest";
import { RedisBackend } from "@fs/redis";
import { CountingClient } from "./counting-client.js";

describeWithServer("redis", "What a call on RedisBackend costs", () => {
  let server: TestServer<RedisInfo>;
  let redis: Redis;
  let client: CountingClient;
  let files: RedisBackend;

  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.info.url);
    client = new CountingClient(redis);
    files = new RedisBackend({ client, namespace: "cost" });
    // The scripts are known to the server and its settings to the client after this.
    await files.write("/warm", "a b");
    await files.read("/warm");
    await files.edit("/warm", "a", "b");
    await files.copy("/warm", "/cold");
    await files.move("/cold", "/warmer");
    await files.delete("/warmer");
    await files.ls("/");
    await files.grep("b");
  });
  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  test("one round trip for a read, a page, a create, an edit, several edits and a delete", async () => {
    const long = "line\n".repeat(30_000);
    expect(await client.during(() => files.write("/d/long", long))).toBe(1);
    expect(await client.during(() => files.read("/d/long", 100, 50))).toBe(1);
    expect(await client.during(() => files.readRaw("/d/long"))).toBe(1);
    expect(await client.during(() => files.write("/d/a", "one two"))).toBe(1);
    expect(await client.during(() => files.read("/d/a"))).toBe(1);
    expect(await client.during(() => files.edit("/d/a", "one", "1"))).toBe(1);
    const edits = [
      { old: "1", new: "2" },
      { old: "two", new: "2" },
    ];
    expect(await client.during(() => files.multiEdit("/d/a", edits))).toBe(1);
    expect((await files.read("/d/a")).content).toBe("2 2");
    expect(await client.during(() => files.copy("/d/a", "/d/b"))).toBe(1);
    expect(await client.during(() => files.move("/d/b", "/d/a", { overwrite: true }))).toBe(1);
    expect(await client.during(() => files.delete("/d/a"))).toBe(1);
  });

  test("one round trip for a directory of up to 499 children, for 64 downloads and for 256 uploads", async () => {
    const names = Array.from({ length: 256 }, (_, i) => `/many/${i}`);
    const upload = names.map((name): [string, Uint8Array] => [name, Buffer.from(name)]);
    expect(await client.during(() => files.uploadFiles(upload))).toBe(1);
    expect(await client.during(() => files.ls("/many"))).toBe(1);
    expect(await client.during(() => files.downloadFiles(names.slice(0, 64)))).toBe(1);
    expect(await client.during(() => files.glob("**", "/many"))).toBeLessThanOrEqual(2);
  });

  test("a glob that names its files gets those alone, and looks where they can be", async () => {
    const names = Array.from(
      { length: 4000 },
      (_, i) => `/wide/${i % 40}/${i}.${i % 1000 ? "txt" : "md"}`,
    );
    await files.uploadFiles(names.map((name) => [name, Buffer.from("x")]));
    const sent = async (): Promise<number> =>
      Number(/total_net_output_bytes:(\d+)/.exec(await redis.info("stats"))?.[1]);
    const costs = async (
      pattern: string,
    ): Promise<{ found: number; bytes: number; trips: number }> => {
      const before = await sent();
      let found = 0;
      const trips = await client.during(async () => {
        found = (await files.glob(pattern, "/wide")).files?.length ?? 0;
      });
      return { found, trips, bytes: (await sent()) - before };
    };
    const all = await costs("**");
    expect(all.found).toBe(4000);
    const some = await costs("**/*.md");
    expect(some.found).toBe(4);
    // What INFO itself answers is in it too.
    expect(some.bytes).toBeLessThan(all.bytes / 20);
    expect(some.trips).toBeLessThanOrEqual(3);
    expect((await costs("**/3999.txt")).found).toBe(1);
    expect(await costs("7/*.{txt,md}")).toMatchObject({ found: 100, trips: 1 });
  });

  test("a search reads no more slices than its cap needs", async () => {
    const names = Array.from({ length: 1024 }, (_, i) => `/grep/${String(i).padStart(4, "0")}`);
    await files.uploadFiles(names.map((name) => [name, Buffer.from(`find me in ${name}\n`)]));
    expect(await client.during(() => files.grep("find me", "/grep"))).toBe(5);
    const capped = await client.during(async () => {
      const found = await files.grep("find me", "/grep", null, 5);
      expect(found.matches?.map((match) => match.path)).toEqual(names.slice(0, 5));
      expect(found.truncated).toBe(true);
    });
    expect(capped).toBe(1);
  });

  test("finds what lies across the windows in which a script searches, however long it takes", async () => {
    const window = 32768;
    const needle = `needle${"e".repeat(900)}`;
    const hay = Array.from({ length: 40 * window }, () => "n");
    const starts = [0, window - 3, 2 * window - 450, 3 * window, 39 * window + 100];
    for (const at of starts) hay.splice(at, needle.length, ...needle.split(""), "\n");
    await files.write("/big/hay", hay.join(""));
    expect((await files.grep(needle, "/big")).matches).toHaveLength(starts.length);
    await files.write("/none/e", "e".repeat(40 * window));
    await files.write("/none/f", needle);
    const slices = await client.during(async () => {
      expect((await files.grep(needle, "/none")).matches).toMatchObject([{ path: "/none/f" }]);
    });
    expect(slices).toBeGreaterThan(2);
    await files.write("/edit/hay", hay.slice(0, 3 * window).join(""));
    const edited = await files.edit("/edit/hay", needle, "<>", true);
    expect(edited).toMatchObject({ occurrences: 3 });
    const left = (await files.readRaw("/edit/hay")).data?.content;
    expect(String(left).split("<>")).toHaveLength(4);
  });

  test("pages of a long file are the pages of the same file in one piece", async () => {
    const lines = Array.from({ length: 25_000 }, (_, i) => `${i}é\r\n`);
    await files.write("/pages", lines.join(""));
    for (const [offset, limit] of [
      [0, 10],
      [19_000, 500],
      [19_990, 10],
      [20_000, 3],
      [24_999, 9],
    ] as const) {
      const page = await files.read("/pages", offset, limit);
      expect(page.content).toBe(lines.slice(offset, offset + limit).join(""));
      expect(page.nextOffset).toBe(offset + limit < lines.length ? offset + limit : undefined);
    }
    expect(await files.read("/pages", 25_000)).toMatchObject({ code: "invalid_range" });
  });
});
