import { MemoryBackend } from "@fs/protocol";
import { describeWithServer } from "@fs/test-servers/vitest";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { PostgresBackend } from "@fs/postgres";
import { tableNames } from "../src/table-names.js";
import { poolSource } from "../src/open-pool.js";
import { migrations } from "../src/migrations.js";
import { Fixture, recordingPool, type Sent } from "./test-backends.js";

/** Directories of 100 files, one of them `f050.md`; each row takes about a kilobyte of the table. */
const DIRECTORIES = 60;
const FLAT = 3000;

describeWithServer("postgres", "what calls cost", () => {
  let fixture: Fixture;
  let backend: PostgresBackend;
  const sent: Sent[] = [];

  beforeAll(async () => {
    fixture = await Fixture.start();
    backend = fixture.backend({
      namespace: "big",
      client: recordingPool(fixture.pool, (query) => sent.push(query)),
    });
    for (const namespace of ["big", "other"])
      await fixture.pool.query(
        `insert into fs_files (namespace, path, content, mime_type)
          select $1, p, t, 'text/plain' from (
            select '/d' || lpad((n / 100)::text, 3, '0') || '/f' || lpad((n % 100)::text, 3, '0')
              || case when n % 10 = 0 then '.md' else '.ts' end as p, n from generate_series(0, $2::integer * 100 - 1) n
            union all select '/flat/n' || lpad(n::text, 5, '0') || '.txt', n from generate_series(0, $3::integer - 1) n
          ) f cross join lateral (
            select string_agg(md5((n * 32 + k)::text), E'\\n') as t from generate_series(1, 32) k
          ) c`,
        [namespace, DIRECTORIES, FLAT],
      );
    await fixture.pool.query("vacuum analyze fs_files");
    // Whether there is a trigram index is asked once a minute.
    await backend.grep("no such text", "/nowhere");
  });
  afterAll(() => fixture[Symbol.asyncDispose]());
  beforeEach(() => {
    sent.length = 0;
  });

  /** Pages of the server's memory that the statements sent last touch: those of a second run, when hint bits are set. */
  async function buffers(): Promise<number> {
    let total = 0;
    for (const { text, values } of sent) {
      const { rows } = await fixture.pool.query<{ "QUERY PLAN": Explained }>({
        text: `explain (analyze, buffers, format json) ${text}`,
        values: [...values],
      });
      for (const { Plan: plan } of rows[0]?.["QUERY PLAN"] ?? [])
        total += (plan["Shared Hit Blocks"] ?? 0) + (plan["Shared Read Blocks"] ?? 0);
    }
    return total;
  }

  async function tablePages(): Promise<number> {
    const { rows } = await fixture.pool.query<{ pages: string }>(
      "select (pg_relation_size('fs_files') / current_setting('block_size')::int)::text as pages",
    );
    return Number(rows[0]?.pages);
  }

  test("a listing of files only is one scan of them, and of directories a look at each", async () => {
    expect((await backend.ls("/flat")).files).toHaveLength(FLAT);
    expect(sent).toHaveLength(1);
    // Five of these rows are on a page, and each needs its entry of the index: a look at each takes four pages.
    expect((await buffers()) / FLAT).toBeLessThan(0.6);
    sent.length = 0;
    expect((await backend.ls("/")).files).toHaveLength(DIRECTORIES + 1);
    expect((await buffers()) / DIRECTORIES).toBeLessThan(8);
  });

  test("a pattern for one directory is asked for there, and files it rules out never travel", async () => {
    const { files } = await backend.glob("n0001*.txt", "/flat");
    expect(files).toHaveLength(10);
    expect(sent).toHaveLength(1);
    expect(await buffers()).toBeLessThan(40);
    sent.length = 0;
    expect((await backend.glob("*.md", "/d001")).files).toHaveLength(10);
    expect(JSON.stringify(sent[0]?.rows).length).toBeLessThan(1000);
  });

  test("a pattern that ends in a literal costs its hits, whatever else is there", async () => {
    expect((await backend.glob("**/f050.md")).files).toHaveLength(DIRECTORIES);
    expect(sent).toHaveLength(1);
    expect(await buffers()).toBeLessThan(3 * DIRECTORIES);
    for (const pattern of ["**/*.xyz", "**/{nothing.md,*.none}", "**/x*y.zzz"]) {
      sent.length = 0;
      expect((await backend.glob(pattern)).files).toEqual([]);
      expect(await buffers()).toBeLessThan(30);
    }
  });

  test("a pattern that many files match is one statement, and at most one scan", async () => {
    expect((await backend.glob("**/*.md")).files).toHaveLength(DIRECTORIES * 10);
    expect((await backend.glob("**")).files).toHaveLength(DIRECTORIES * 100 + FLAT);
    expect(sent).toHaveLength(2);
    sent.pop();
    expect(await buffers()).toBeLessThan(1.2 * (await tablePages()));
  });

  test("a search with a filter that no file passes costs what the pattern costs, and reads no text", async () => {
    for (const filter of ["*.xyz", "f?50.nothing"]) {
      expect(await backend.grep("0", "/", filter)).toEqual({ matches: [] });
      const searched = await buffers();
      sent.length = 0;
      await backend.glob(`**/${filter}`);
      expect(searched).toBeLessThanOrEqual((await buffers()) + 20);
      sent.length = 0;
    }
  });

  test("a capped search distinguishes a common word from a rare one, also where the first files do not have it", async () => {
    const worded = fixture.backend({
      table: "worded",
      namespace: "n",
      client: recordingPool(fixture.pool, (query) => sent.push(query)),
    });
    await worded.setup({ trigram: true });
    await fixture.pool.query(
      `insert into worded (namespace, path, content, mime_type)
        select 'n', '/f' || lpad(n::text, 5, '0'),
          repeat(E'filler\n', 100) || case when n > 600 then E'commonword\n' else '' end
            || case when n % 1000 = 100 then 'rareword' else '' end, 'text/plain'
        from generate_series(1, 6000) n`,
    );
    await fixture.pool.query("vacuum analyze worded");
    await worded.grep("no such text", "/nowhere");
    for (const [word, condition] of [
      ["commonword", "strpos(f.content"],
      ["rareword", "f.content like"],
    ] as const) {
      sent.length = 0;
      expect((await worded.grep(word, "/", null, 5)).matches).toHaveLength(5);
      expect(sent).toHaveLength(2);
      expect(sent[1]?.text).toContain(condition);
      const { rows } = await fixture.pool.query({
        text: `explain (format json) ${sent[1]?.text}`,
        values: [...(sent[1]?.values ?? [])],
      });
      expect(JSON.stringify(rows).includes("worded_trigram")).toBe(word === "rareword");
    }
  });

  test("more files than a statement takes are listed by several", async () => {
    const many = fixture.backend({
      namespace: "many",
      client: recordingPool(fixture.pool, (query) => sent.push(query)),
    });
    await fixture.pool.query(
      `insert into fs_files (namespace, path, content, mime_type)
        select 'many', '/a/' || n, '', '' from generate_series(1, 200001) n`,
    );
    for (const listed of [await many.ls("/a"), await many.glob("**")]) {
      const paths = (listed.files ?? []).map(({ path }) => path);
      expect(new Set(paths).size).toBe(200_001);
      expect(paths).toHaveLength(200_001);
    }
    expect(sent).toHaveLength(4);
  });

  test("files, directories and names that start alike are listed as they are in memory", async () => {
    const name = fc.constantFrom("a", "a.txt", "a-b", "a0", "b", "A", "\uff21", "\u{1f600}", "z");
    const path = fc
      .array(name, { minLength: 1, maxLength: 3 })
      .map((names) => `/${names.join("/")}`);
    const trees = fc.array(path, { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(trees, fc.integer({ min: 0, max: 20 }), async (paths, extra) => {
        const own = fixture.backend();
        const memory = new MemoryBackend();
        const all = [...paths, ...Array.from({ length: extra }, (_, n) => `/a/m${n}`)];
        for (const files of [own, memory])
          await files.uploadFiles([...new Set(all)].toSorted().map((at) => [at, Buffer.from(at)]));
        for (const directory of ["/", "/a", "/a/b"]) {
          const names = async (files: PostgresBackend | MemoryBackend): Promise<unknown> =>
            (await files.ls(directory)).files?.map((file) => [file.path, file.size]);
          expect(await names(own)).toEqual(await names(memory));
        }
      }),
      { numRuns: 40 },
    );
  });

  test("names are found from their ends as in memory, also below paths too long for a key", async () => {
    const own = fixture.backend();
    const memory = new MemoryBackend();
    const long = `/${"x".repeat(250)}`.repeat(12);
    const names = [
      "a.md",
      "\u{1f600}.md",
      "e\u0301.md",
      "[z].md",
      "b*.md",
      "%_\\",
      "\u{10ffff}",
      ".md",
      "md",
    ];
    for (const files of [own, memory])
      await files.uploadFiles(
        ["", "/d", long].flatMap((directory) =>
          names.map((name) => [`${directory}/${name}`, Buffer.from("text\n")] as const),
        ),
      );
    const patterns = [
      "a.md",
      "*.md",
      "*\u{1f600}.md",
      "*\u0301.md",
      "\\[z\\].md",
      "*\\*.md",
      "%_\\\\",
      "\u{10ffff}",
      "*\u{10ffff}",
      "*md",
      "[b-e]*.md",
      "{a,.}*d",
      "{a.md,*_\\\\}",
      "*",
    ];
    for (const pattern of patterns) {
      const globs = [own, memory].map((files) => files.glob(`**/${pattern}`));
      const [ours, theirs] = (await Promise.all(globs)).map(({ files }) =>
        files?.map((f) => f.path),
      );
      expect([pattern, ours]).toEqual([pattern, theirs]);
      const greps = [own, memory].map((files) => files.grep("text", "/", pattern));
      const [found, expected] = await Promise.all(greps);
      expect([pattern, found]).toEqual([pattern, expected]);
    }
  });

  test("an upload holds up creations in its directories, and no others", async () => {
    const { guardMany } = tableNames("public", "fs_files");
    const rival = await fixture.pool.connect();
    try {
      const targets = Array.from({ length: 10_000 }, (_, n) => `/up/x/f${n}`);
      await rival.query("begin");
      await rival.query(`select ${guardMany}('big', $1, $2)`, [
        [...targets, "/top.txt"].join("\n"),
        ["/up", "/up/x"].join("\n"),
      ]);
      const locks = "select count(*)::int as count from pg_locks where locktype = 'advisory'";
      const { rows } = await rival.query<{ count: number }>(`${locks} and granted`);
      expect(rows[0]?.count).toBeLessThanOrEqual(4);
      for (const path of ["/elsewhere/a", "/up/y/a", "/upper"])
        expect((await backend.write(path, "x")).error).toBeUndefined();
      expect(
        (
          await backend.uploadFiles([
            ["/b/1", Buffer.of(1)],
            ["/b/2", Buffer.of(1)],
          ])
        ).map(({ error }) => error),
      ).toEqual([null, null]);
      expect((await backend.move("/b", "/up/moved")).error).toBeUndefined();
      const held = [
        backend.write("/up/x/new", "x"),
        backend.write("/up/x/f1/below", "x"),
        backend.write("/up/x", "x"),
        backend.write("/up", "x"),
        backend.write("/top.txt/below", "x"),
        backend.write("/top.txt", "x"),
      ];
      await expect
        .poll(
          async () =>
            (await rival.query<{ count: number }>(`${locks} and not granted`)).rows[0]?.count,
        )
        .toBe(held.length);
      await rival.query("rollback");
      await Promise.all(held);
    } finally {
      await rival.query("rollback");
      rival.release();
    }
  });

  test("a table of the first form answers the same until it is brought up to date", async () => {
    const names = tableNames("public", "aged");
    const old = fixture.backend({ table: "aged", namespace: "n" });
    await fixture.pool.query(
      `create table ${names.migrations} (version integer primary key, applied_at timestamptz)`,
    );
    for (const statement of migrations(names)[0] ?? []) await fixture.pool.query(statement);
    await fixture.pool.query(`insert into ${names.migrations} values (1, now())`);
    const uploaded = await old.uploadFiles([
      ["/d/a.md", Buffer.from("one\n")],
      ["/d/e/a.md", Buffer.from("one\n")],
    ]);
    const answers = async (): Promise<unknown[]> => [
      (await old.glob("**/a.md")).files?.length,
      (await old.glob("*.md", "/d")).files?.length,
      (await old.ls("/d")).files?.length,
      (await old.grep("one", "/", "*.md")).matches?.length,
      (await old.move("/d", "/moved")).files,
      (await old.move("/moved", "/d")).files,
    ];
    expect(uploaded.map(({ error }) => error)).toEqual([null, null]);
    expect(await answers()).toEqual([2, 1, 2, 2, 2, 2]);
    await old.setup();
    expect(await answers()).toEqual([2, 1, 2, 2, 2, 2]);
    const { rows } = await fixture.pool.query(
      "select 1 from pg_indexes where indexname = 'aged_names'",
    );
    expect(rows).toHaveLength(1);
  });

  test("connections of a pool of its own compile no statements, unless a pooler gives them to others", async () => {
    const { url } = fixture.server.info;
    for (const preparedStatements of [true, false]) {
      const source = poolSource({ url, preparedStatements }, 10_000, () => undefined);
      const client = await (await source.open()).connect();
      const { rows } = await client.query({ text: "show jit" });
      expect(rows).toEqual([{ jit: preparedStatements ? "off" : "on" }]);
      client.release();
      await source.close();
    }
  });
});

type Explained = ReadonlyArray<{
  readonly Plan: { readonly "Shared Hit Blocks"?: number; readonly "Shared Read Blocks"?: number };
}>;
