import { describeWithServer } from "@fs/test-servers/vitest";
import { startRedis, type RedisInfo, type TestServer } from "@fs/test-servers";
import { Redis } from "ioredis";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { RedisBackend } from "@fs/redis";
import { CountingClient } from "./counting-client.js";

describeWithServer("redis", "RedisBackend", () => {
  let server: TestServer<RedisInfo>;
  let client: Redis;
  let files: RedisBackend;
  let spaces = 0;

  beforeAll(async () => {
    server = await startRedis();
    client = new Redis(server.info.url);
  });
  afterAll(async () => {
    client.disconnect();
    await server.stop();
  });
  beforeEach(() => {
    files = new RedisBackend({ client, namespace: ["test", String(++spaces)] });
  });

  const keysOfSpace = async (): Promise<string[]> =>
    (await client.keys(`fs:{test/${spaces}}*`)).toSorted();

  test("lists immediate children, with names that sort around the slash", async () => {
    for (const path of ["/a/b/c.txt", "/a-b/x", "/a/b.txt", "/a.txt", "/a/é.txt", "/ab"])
      expect(await files.write(path, "x")).toMatchObject({ path });
    const names = async (path: string): Promise<unknown> =>
      (await files.ls(path)).files?.map((file) => file.path);
    expect(await names("/")).toEqual(["/a-b/", "/a.txt", "/a/", "/ab"]);
    expect(await names("/a")).toEqual(["/a/b.txt", "/a/b/", "/a/é.txt"]);
    expect((await files.glob("**/*.txt", "/a")).files?.map((file) => file.path)).toEqual([
      "/a/b.txt",
      "/a/b/c.txt",
      "/a/é.txt",
    ]);
  });

  test("keeps a namespace in three keys of one slot and leaves nothing but its log", async () => {
    await files.write("/deep/er/still/a.txt", "x");
    const [hash, log, index] = await keysOfSpace();
    expect([hash, log, index]).toEqual([
      `fs:{test/${spaces}}:files`,
      `fs:{test/${spaces}}:log`,
      `fs:{test/${spaces}}:paths`,
    ]);
    const slots = await Promise.all(
      [hash, log, index].map((key) => client.cluster("KEYSLOT", key ?? "").catch(() => 0)),
    );
    expect(new Set(slots).size).toBe(1);
    await files.delete("/deep");
    expect(await keysOfSpace()).toEqual([log]);
    expect(await files.ls("/")).toEqual({ files: [] });
  });

  test("a batch that ends between two pipelines says what the first of them stored", async () => {
    const controller = new AbortController();
    const counting = new CountingClient(client);
    const pipeline = counting.pipeline.bind(counting);
    let pipelines = 0;
    counting.pipeline = () => {
      if (++pipelines === 2) controller.abort();
      return pipeline();
    };
    const cut = new RedisBackend({ client: counting, namespace: ["test", String(spaces)] });
    const paths = Array.from({ length: 700 }, (_, n) => `/f${n}`);
    const answers = await cut.uploadFiles(
      paths.map((path) => [path, Buffer.from(path)] as const),
      { signal: controller.signal },
    );
    expect(pipelines).toBe(2);
    const stored = answers.flatMap(({ path, error }) => (error === null ? [path] : []));
    const codes = new Set(answers.map(({ code }) => code));
    expect([stored.length, [...codes]]).toEqual([512, [undefined, "aborted"]]);
    const found = new Set((await files.glob("**")).files?.map(({ path }) => path));
    expect(stored.filter((path) => !found.has(path))).toEqual([]);
    // The pipeline that was under way has answered for itself; the one after it was not sent.
    expect(paths.slice(512).filter((path) => found.has(path))).toEqual([]);
  });

  test("refuses in the script what would put a file where a directory is, and below a file", async () => {
    await files.write("/d/f", "x");
    expect(await files.write("/d", "x")).toMatchObject({ code: "is_directory" });
    expect(await files.write("/d/f/g", "x")).toMatchObject({ code: "not_directory" });
    expect(await files.write("/d/f/g/h/i", "x")).toMatchObject({ code: "not_directory" });
    expect(await files.move("/d/f", "/d/f2")).toEqual({ path: "/d/f2", files: 1 });
    await files.write("/e", "x");
    expect(await files.copy("/e", "/d")).toMatchObject({ code: "is_directory" });
    expect(await files.copy("/e", "/d/f2/x")).toMatchObject({ code: "not_directory" });
    expect(await files.copy("/e", "/d/f2")).toMatchObject({ code: "already_exists" });
    expect(await files.copy("/e", "/d/f2", { overwrite: true })).toEqual({
      path: "/d/f2",
      files: 1,
    });
  });

  test("never puts a directory below a file, and takes binary files along", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, n) => n);
    await files.uploadFiles([
      ["/d/a.bin", bytes],
      ["/d/e/b", Buffer.from("text")],
      ["/f", Buffer.from("file")],
    ]);
    for (const kind of ["move", "copy"] as const) {
      expect(await files[kind]("/d", "/f/d")).toMatchObject({ code: "not_directory" });
      expect(await files[kind]("/d", "/f/x/y")).toMatchObject({ code: "not_directory" });
      expect(await files[kind]("/d", "/f")).toMatchObject({ code: "already_exists" });
    }
    expect(await files.copy("/d", "/g/h")).toEqual({ path: "/g/h", files: 2 });
    expect((await files.readRaw("/g/h/a.bin")).data?.content).toEqual(bytes);
    expect((await files.glob("**")).files).toHaveLength(5);
  });

  test("says that a page is the last one exactly where the file ends", async () => {
    const line = `${"x".repeat(99)}\n`;
    for (const [path, text] of [
      ["/ended", line.repeat(2000)],
      ["/open", `${line.repeat(2000)}x`],
      ["/empty-line", `${line.repeat(2000)}\n`],
    ] as const) {
      await files.write(path, text);
      const page = await files.read(path, 1990, 10);
      expect(page.content).toBe(line.repeat(10));
      expect(page.nextOffset).toBe(path === "/ended" ? undefined : 2000);
      const rest = await files.read(path, 1990, 11);
      expect(rest.nextOffset).toBeUndefined();
      expect(rest.content).toBe(text.slice(1990 * line.length));
    }
  });

  test("never gives a version twice, not even after delete or expiry", async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 3; round++) {
      await files.write("/a", String(round));
      const read = await files.read("/a");
      if (round === 1) await client.del(...(await keysOfSpace()));
      else await files.delete("/a");
      seen.add(read.version ?? "none");
    }
    expect(seen.size).toBe(3);
  });

  test("lets one of many clients create, and applies every edit", async () => {
    const others = Array.from({ length: 4 }, () => new Redis(server.info.url));
    const backends = others.map(
      (other) =>
        new RedisBackend({
          client: other,
          namespace: ["test", String(spaces)],
          onError: (e) => console.error(e),
        }),
    );
    const written = await Promise.all(backends.map((backend, i) => backend.write("/one", `${i}`)));
    expect(written.filter((result) => result.error === undefined)).toHaveLength(1);
    await files.write("/list", "[]");
    const edits = backends.flatMap((backend, i) =>
      Array.from({ length: 20 }, (_, n) => backend.edit("/list", "]", `${i}-${n},]`)),
    );
    for (const edit of await Promise.all(edits)) expect(edit).toMatchObject({ occurrences: 1 });
    const list = String((await files.read("/list")).content);
    expect(list.split(",")).toHaveLength(81);
    for (const other of others) other.disconnect();
  });

  test("keeps bytes as they are, on every way in and out", async () => {
    const bytes = Uint8Array.from({ length: 512 }, (_, i) => i % 256);
    await files.uploadFiles([
      ["/b.bin", bytes],
      ["/c.bin", bytes],
    ]);
    const [b, c] = await files.downloadFiles(["/b.bin", "/c.bin"]);
    expect(b?.content).toEqual(bytes);
    expect(c?.content).toEqual(bytes);
    expect((await files.read("/b.bin")).content).toEqual(bytes);
    await files.move("/b.bin", "/m/b.bin");
    expect((await files.readRaw("/m/b.bin")).data?.content).toEqual(bytes);
    expect(await files.edit("/m/b.bin", "a", "b")).toMatchObject({ code: "not_text" });
  });

  test("removes and moves trees of any size", async () => {
    const names = Array.from({ length: 1300 }, (_, i) => `/t/d${i % 7}/e${i % 3}/f${i}.txt`);
    await files.uploadFiles(names.map((name) => [name, Buffer.from(name)]));
    expect(await files.move("/t", "/u")).toEqual({ path: "/u", files: 1300 });
    expect(await files.ls("/t")).toMatchObject({ code: "not_found" });
    expect((await files.glob("**", "/u")).files).toHaveLength(1300);
    expect(await files.move("/u/d1/e1", "/v/w")).toMatchObject({ files: 62 });
    expect(await files.copy("/u/d2", "/v/x")).toMatchObject({ files: 186 });
    expect((await files.glob("**", "/v/x")).files).toHaveLength(186);
    expect((await files.glob("**", "/u/d2")).files).toHaveLength(186);
    await files.delete("/v/x");
    expect(await files.delete("/u")).toMatchObject({ path: "/u" });
    expect((await files.ls("/")).files?.map((file) => file.path)).toEqual(["/v/"]);
    expect(await files.delete("/v")).toMatchObject({ path: "/v" });
    expect(await client.exists(`fs:{test/${spaces}}:paths`)).toBe(0);
  });

  test("works through automatic pipelining, where commands of one moment share a round trip", async () => {
    const pipelining = new Redis(server.info.url, { enableAutoPipelining: true });
    try {
      const piped = new RedisBackend({ client: pipelining, namespace: ["test", String(spaces)] });
      const names = Array.from({ length: 60 }, (_, i) => `/p/${i}`);
      const written = await Promise.all(names.map((name) => piped.write(name, `in ${name}`)));
      expect(written).toMatchObject(names.map((path) => ({ path })));
      const edited = await Promise.all(names.map((name) => piped.edit(name, "in ", "at ")));
      expect(edited).toMatchObject(names.map((path) => ({ path, occurrences: 1 })));
      const read = await Promise.all(names.map((name) => files.read(name)));
      expect(read.map((page) => page.content)).toEqual(names.map((name) => `at ${name}`));
      expect((await piped.grep("at /p/1")).matches).toHaveLength(11);
      const uploaded = await piped.uploadFiles([
        ["/p/x", Buffer.from("x")],
        ["/p/y", Buffer.from("y")],
      ]);
      expect(uploaded.map((file) => file.error)).toEqual([null, null]);
      expect(await piped.downloadFiles(["/p/x", "/p/y"])).toHaveLength(2);
      expect(await piped.delete("/p")).toMatchObject({ path: "/p" });
    } finally {
      pipelining.disconnect();
    }
  });
});
