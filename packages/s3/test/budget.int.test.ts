import { PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { S3Backend, type S3BackendOptions } from "@fs/s3";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { recordCommands, startGateway, type Gateway } from "./gateway.js";

/** Counts each kind of request: `{ GetObject: 1 }`. */
function tally(sent: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of sent) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

// A thousand objects take their time on a gateway that shares its machine.
vi.setConfig({ testTimeout: 300_000 });

describeWithServer("s3", "the request budget", () => {
  let gateway: Gateway;
  let client: S3Client;
  let sent: string[];
  let backend: S3Backend;
  let prefix = "";
  let cases = 0;

  beforeAll(async () => {
    gateway = await startGateway();
    client = gateway.client();
    sent = recordCommands(client);
  });
  afterAll(() => gateway?.stop());
  beforeEach(() => {
    prefix = `case-${cases++}`;
    backend = make();
  });

  const make = (options: Partial<S3BackendOptions> = {}): S3Backend =>
    new S3Backend({ client, bucket: gateway.bucket, prefix, ...options });
  /** The requests of one call. The probe is over before it. */
  const costOf = async <T>(call: () => Promise<T>): Promise<[Record<string, number>, T]> => {
    sent.length = 0;
    const result = await call();
    return [tally(sent), result];
  };
  const seed = async (
    names: readonly string[],
    body: (name: string) => string = String,
  ): Promise<void> => {
    const files = names.map((name): [string, Uint8Array] => [name, Buffer.from(body(name))]);
    for (const { error } of await backend.uploadFiles(files)) expect(error).toBeNull();
  };
  const learn = (): Promise<unknown> => backend.write("/probed", "x");
  /**
   * What it takes to remove a file. Where DELETE knows no condition, a tombstone is put under one first. Where it compares times
   * and a second of the server ends meanwhile, it is refused: the tombstone is asked for its time, and removed by that.
   */
  const removal = (cost: Record<string, number>): Record<string, number> => {
    const again = cost["DeleteObject"] === 2 ? 1 : 0;
    return { HeadObject: 1 + again, DeleteObject: 1 + again };
  };

  test("the first conditional write of a client probes its bucket, once, however many come at once", async () => {
    const fresh = gateway.client();
    const asked = recordCommands(fresh);
    const first = make({ client: fresh });
    const written = await Promise.all(["/a", "/b", "/c"].map((path) => first.write(path, "1")));
    expect(written.map((result) => result.code)).toEqual([undefined, undefined, undefined]);
    // Creates, refused creates and stale edits by PUT; then what a DELETE makes of conditions.
    const { PutObject = 0, DeleteObject = 0, ...others } = tally(asked);
    expect(PutObject).toBeGreaterThanOrEqual(4 + 3);
    expect(DeleteObject).toBeGreaterThan(0);
    expect(others).toEqual({});
    expect(asked.length).toBeLessThanOrEqual(8 + 3);
    asked.length = 0;
    await make({ client: fresh, prefix: `${prefix}/other` }).write("/d", "1");
    expect(asked).toEqual(["PutObject"]);
    expect((await backend.ls("/")).files?.map((f) => f.path)).toEqual([
      "/a",
      "/b",
      "/c",
      "/other/",
    ]);
  });

  test("read is 1 request, readRaw too; a missing file or a directory is 2", async () => {
    await seed(["/a.txt", "/d/b.txt"]);
    expect((await costOf(() => backend.read("/a.txt")))[0]).toEqual({ GetObject: 1 });
    expect((await costOf(() => backend.readRaw("/a.txt")))[0]).toEqual({ GetObject: 1 });
    const [missing, answer] = await costOf(() => backend.read("/none"));
    expect(missing).toEqual({ GetObject: 1, ListObjectsV2: 1 });
    expect(answer.code).toBe("not_found");
    const [directory, refusal] = await costOf(() => backend.read("/d"));
    expect(directory).toEqual({ GetObject: 1, ListObjectsV2: 1 });
    expect(refusal.code).toBe("is_directory");
  });

  test("write and edit are 1 and 2 requests", async () => {
    await learn();
    expect((await costOf(() => backend.write("/a", "one")))[0]).toEqual({ PutObject: 1 });
    expect((await costOf(() => backend.edit("/a", "one", "two")))[0]).toEqual({
      GetObject: 1,
      PutObject: 1,
    });
    const overwriting = make({ writeMode: "overwrite" });
    // One request on S3 itself. This gateway may lose a plain PUT that it acknowledges, so a condition goes with it.
    expect((await costOf(() => overwriting.write("/a", "three")))[0]).toEqual({
      PutObject: 2,
      HeadObject: 1,
    });
    const { version } = await overwriting.read("/a");
    const [cost] = await costOf(() =>
      overwriting.write("/a", "four", { ifVersion: version ?? "" }),
    );
    expect(cost).toEqual({ PutObject: 1 });
  });

  test("ls is 1 request for each 1,000 children, whatever lies below them", async () => {
    await seed(Array.from({ length: 1001 }, (_, i) => `/d/${String(i).padStart(4, "0")}`));
    await seed(Array.from({ length: 50 }, (_, i) => `/e/x/${i}`));
    const [cost, { files }] = await costOf(() => backend.ls("/d"));
    expect(files).toHaveLength(1001);
    expect(cost).toEqual({ ListObjectsV2: 2 });
    expect((await costOf(() => backend.ls("/e")))[0]).toEqual({ ListObjectsV2: 1 });
    expect((await costOf(() => backend.ls("/")))[0]).toEqual({ ListObjectsV2: 1 });
  });

  test("glob lists only below the fixed part of its pattern, and fetches nothing", async () => {
    await seed(Array.from({ length: 1100 }, (_, i) => `/many/f${i}.txt`));
    await seed(["/docs/a/x.md", "/docs/a/y.md", "/docs/b/z.md"]);
    const [cost, { files }] = await costOf(() => backend.glob("docs/a/**/*.md"));
    expect(files?.map((f) => f.path)).toEqual(["/docs/a/x.md", "/docs/a/y.md"]);
    expect(cost).toEqual({ ListObjectsV2: 1 });
    expect((await costOf(() => backend.glob("many/f10*.txt")))[0]).toEqual({ ListObjectsV2: 1 });
    expect((await costOf(() => backend.glob("**")))[0]).toEqual({ ListObjectsV2: 2 });
  });

  test("grep is the listing and one GET for each text, and after it only for what changed", async () => {
    await seed(
      Array.from({ length: 20 }, (_, i) => `/t/${i}.txt`),
      (name) => `needle in ${name}\n`,
    );
    await seed(["/t/picture.png", "/t/tiny.txt", "/t/none.txt"], (name) =>
      name.includes("none") ? "" : "a",
    );
    const [cold, first] = await costOf(() => backend.grep("needle"));
    expect(first.matches).toHaveLength(20);
    // Not the picture, by its extension; not what is shorter than the needle.
    expect(cold).toEqual({ ListObjectsV2: 1, GetObject: 20 });
    expect((await costOf(() => backend.grep("needle in /t/7")))[0]).toEqual({ ListObjectsV2: 1 });
    await seed(["/t/7.txt"], () => "another needle\n");
    const [warm, second] = await costOf(() => backend.grep("needle"));
    expect(warm).toEqual({ ListObjectsV2: 1, GetObject: 1 });
    expect(second.matches?.find((m) => m.path === "/t/7.txt")?.text).toBe("another needle");
  });

  test("grep stops at its cap, with no more under way than its width", async () => {
    await seed(
      Array.from({ length: 60 }, (_, i) => `/t/${String(i).padStart(2, "0")}`),
      () => "needle\n",
    );
    const narrow = make({ concurrency: 4 });
    const [cost, result] = await costOf(() => narrow.grep("needle", "/", null, 10));
    expect(result).toMatchObject({ truncated: true });
    expect(result.matches?.at(-1)?.path).toBe("/t/09");
    // Eleven answers tell ten from more.
    expect(cost["GetObject"]).toBeGreaterThanOrEqual(11);
    expect(cost["GetObject"]).toBeLessThanOrEqual(11 + 4);
  });

  test("a page of a large object takes what lies before its end and one stretch more", async () => {
    const line = `${"x".repeat(99)}\n`;
    await seed(["/big.log"], () => line.repeat(60_000));
    const [top, page] = await costOf(() => backend.read("/big.log", 0, 100));
    expect(page).toMatchObject({ endLine: 100, nextOffset: 100 });
    expect(top).toEqual({ GetObject: 1 });
    // 2,000,000 bytes in: stretches of 256 KiB, 512 KiB, 1 MiB, 2 MiB.
    const [middle, lines] = await costOf(() => backend.read("/big.log", 20_000, 10));
    expect(lines.content).toBe(line.repeat(10));
    expect(middle).toEqual({ GetObject: 4 });
    const [past, answer] = await costOf(() => backend.read("/big.log", 60_000, 10));
    expect(answer).toMatchObject({ code: "invalid_range" });
    expect(past).toEqual({ GetObject: 5 });
  });

  test("delete: a file is 2 or 3 requests, 2 more where a second ends meanwhile, a directory with its slash 2 for each 1,000 objects", async () => {
    await seed(Array.from({ length: 1005 }, (_, i) => `/d/${i}`));
    await seed(["/a"]);
    await learn();
    const [file] = await costOf(() => backend.delete("/a"));
    const tombstone = file["PutObject"] === undefined ? {} : { PutObject: 1 };
    expect(file).toEqual({ ...removal(file), ...tombstone });
    const [cost] = await costOf(() => backend.delete("/d/"));
    expect(cost).toEqual({ ListObjectsV2: 2, DeleteObjects: 2 });
    expect((await backend.ls("/")).files?.map((f) => f.path)).toEqual(["/probed"]);
  });

  test("a copy is one read and one conditional write, and a move removes its source besides", async () => {
    await learn();
    await seed(["/a"]);
    const [copied] = await costOf(() => backend.copy("/a", "/b"));
    expect(copied).toEqual({ HeadObject: 1, GetObject: 1, PutObject: 1 });
    const [moved, result] = await costOf(() => backend.move("/a", "/c"));
    expect(result).toEqual({ path: "/c", files: 1 });
    expect([1, 2]).toContain(moved["PutObject"]);
    expect(moved).toMatchObject({ ...removal(moved), GetObject: 1 });
  });

  test("over a file they look at it, keep it to be restored, and replace it in its version", async () => {
    await learn();
    await seed(["/a", "/b"]);
    const over = { overwrite: true };
    const copy = { HeadObject: 2, GetObject: 2, PutObject: 2 };
    const [copied] = await costOf(() => backend.copy("/a", "/b", over));
    expect(copied).toEqual(copy);
    // Of one content, source and destination have one version: the name of the write is looked at twice.
    for (const looks of [2, 0]) {
      const [moved, result] = await costOf(() => backend.move("/a", "/b", over));
      expect(result).toEqual({ path: "/b", files: 1 });
      const { HeadObject = 0, DeleteObject } = removal(moved);
      expect(moved).toEqual({
        ...copy,
        HeadObject: copy.HeadObject + HeadObject + looks,
        // A tombstone besides, where DELETE knows no condition.
        PutObject: expect.toBeOneOf([copy.PutObject, copy.PutObject + 1]),
        DeleteObject,
      });
      await seed(["/a", "/b"]);
    }
  });

  test("a batch is one request for each file", async () => {
    const names = Array.from({ length: 40 }, (_, i) => `/f${i}`);
    expect((await costOf(() => seed(names)))[0]).toEqual({ PutObject: 40 });
    expect((await costOf(() => backend.downloadFiles(names)))[0]).toEqual({ GetObject: 40 });
  });

  test("nothing is asked of the server to find a path invalid", async () => {
    const long = `/${"d/".repeat(600)}x`;
    const [cost, results] = await costOf(() =>
      Promise.all([backend.read("/../x"), backend.write(long, "x"), backend.ls("relative")]),
    );
    expect(results.map((r) => r.code)).toEqual(["invalid_path", "invalid_path", "invalid_path"]);
    expect(cost).toEqual({});
  });

  test("objects of other tools count as files of their own bytes", async () => {
    await client.send(
      new PutObjectCommand({
        Bucket: gateway.bucket,
        Key: `${prefix}/raw.bin`,
        Body: Buffer.from([0, 1, 2]),
      }),
    );
    const [cost, { content }] = await costOf(() => backend.read("/raw.bin"));
    expect(content).toEqual(new Uint8Array([0, 1, 2]));
    // Its first request showed that it is not text: the rule wants the whole file, and so the generic path asks again.
    expect(cost).toEqual({ GetObject: 2 });
  });
});
