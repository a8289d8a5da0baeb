import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { PostgresBackend } from "@fs/postgres";
import { Fixture, meteredPool } from "./test-backends.js";

describeWithServer("postgres", "round trips", () => {
  let fixture: Fixture;
  let backend: PostgresBackend;
  let sent: string[] = [];
  beforeAll(async () => {
    fixture = await Fixture.start();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  beforeEach(async () => {
    backend = fixture.backend({ client: meteredPool(fixture.pool, (text) => sent.push(text)) });
    await backend.uploadFiles([
      ["/d/a.txt", Buffer.from("one\ntwo\n")],
      ["/d/e/b.txt", Buffer.from("two\n")],
      ["/large", Buffer.from("line\n".repeat(100_000))],
      ["/image.png", Buffer.from([1, 2, 3])],
    ]);
    // Whether there is a trigram index is asked once a minute.
    await backend.grep("two");
    sent = [];
  });

  const calls: Record<string, (files: PostgresBackend) => Promise<object>> = {
    "read a page": (files) => files.read("/d/a.txt"),
    "read a page of a large file": (files) => files.read("/large", 0, 100),
    "read a later page of a large file": (files) => files.read("/large", 50_000, 100),
    "read past the end": (files) => files.read("/d/a.txt", 9),
    "read an image": (files) => files.read("/image.png"),
    readRaw: (files) => files.readRaw("/d/a.txt"),
    create: (files) => files.write("/d/new", "x"),
    "create what is there": (files) => files.write("/d/a.txt", "x"),
    "create below a file": (files) => files.write("/d/a.txt/x", "x"),
    "create over a directory": (files) => files.write("/d", "x"),
    edit: (files) => files.edit("/d/a.txt", "one", "1"),
    multiEdit: (files) =>
      files.multiEdit("/d/a.txt", [
        { old: "one", new: "1" },
        { old: "two", new: "2" },
      ]),
    "delete a file": (files) => files.delete("/d/a.txt"),
    ls: (files) => files.ls("/d"),
    glob: (files) => files.glob("**/*.txt"),
    grep: (files) => files.grep("two"),
    "grep with a cap": (files) => files.grep("two", "/", null, 1),
    "grep that ignores case": (files) => files.grep("TWO", "/", null, 10, { ignoreCase: true }),
    "upload a batch": (files) =>
      files.uploadFiles(Array.from({ length: 100 }, (_, n) => [`/up/${n}`, Buffer.from("x")])),
    "download a batch": (files) => files.downloadFiles(["/d/a.txt", "/d/e/b.txt", "/image.png"]),
  };

  test.each(Object.entries(calls))("1 to %s", async (_, call) => {
    await call(backend);
    expect(sent).toHaveLength(1);
  });

  test("1 to move or copy a file, over another one too", async () => {
    for (const call of [
      () => backend.move("/d/a.txt", "/d/moved.txt"),
      () => backend.copy("/d/moved.txt", "/d/copied.txt"),
      () => backend.move("/d/moved.txt", "/d/e/b.txt", { overwrite: true }),
    ]) {
      sent = [];
      expect((await call()).error).toBeUndefined();
      expect(sent).toHaveLength(1);
    }
    expect((await backend.read("/d/e/b.txt")).content).toBe("one\ntwo\n");
    sent = [];
    expect((await backend.move("/d/copied.txt", "/d/e/b.txt")).code).toBe("already_exists");
    expect(sent).toHaveLength(1);
  });

  test("a move of nothing says so, whatever is at its destination", async () => {
    for (const to of ["/free", "/d", "/d/a.txt", "/d/a.txt/below"])
      expect(await backend.move("/absent", to)).toMatchObject({ code: "not_found" });
    expect((await backend.read("/d/a.txt")).content).toBe("one\ntwo\n");
  });

  test("a capped search by regular expression fetches little of much text", async () => {
    let rows = 0;
    const counted = fixture.backend({
      client: {
        connect: async () => {
          const client = await fixture.pool.connect();
          return {
            query: async (query) => {
              const result = await client.query(query);
              rows += result.rows.length;
              return result;
            },
            release: (destroy) => client.release(destroy),
          };
        },
      },
    });
    const text = Buffer.from("a line of text\n".repeat(1000));
    await counted.uploadFiles(
      Array.from({ length: 40 }, (_, n) => [`/t/${String(n).padStart(3, "0")}`, text]),
    );
    rows = 0;
    const capped = await counted.grep("l[ia]ne", "/", null, 1, { regex: true });
    expect(capped).toMatchObject({ truncated: true, matches: [{ path: "/t/000", line: 1 }] });
    expect(rows).toBeLessThanOrEqual(6);
    rows = 0;
    const all = await counted.grep("l[ia]ne", "/", null, null, { regex: true });
    expect(all.matches).toHaveLength(40 * 1000);
    expect(rows).toBe(40);
  });

  test("a batch too large for one statement is one transaction of several", async () => {
    const large = Buffer.alloc(20 * 1024 * 1024, "x");
    const results = await backend.uploadFiles([
      ["/l/1", large],
      ["/l/2", large],
      ["/d", large],
    ]);
    expect(results.map(({ error }) => error)).toEqual([null, null, "is_directory"]);
    expect(sent.map((text) => text.slice(0, 5))).toEqual([
      "begin",
      "with ",
      "with ",
      "with ",
      "commi",
    ]);
    expect((await backend.ls("/l")).files?.map(({ size }) => size)).toEqual([
      large.length,
      large.length,
    ]);
  });

  test("few to delete, move or copy a directory of any size", async () => {
    const counts: number[] = [];
    for (const call of [
      () => backend.copy("/d", "/copied"),
      () => backend.move("/d", "/moved"),
      () => backend.move("/moved", "/again", { overwrite: true }),
      () => backend.delete("/again"),
    ]) {
      sent = [];
      expect((await call()).error).toBeUndefined();
      counts.push(sent.length);
    }
    expect(counts).toEqual([3, 3, 3, 2]);
  });
});
