import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PostgresBackend } from "@fs/postgres";
import { Fixture, quietPool } from "./test-backends.js";

describeWithServer("postgres", "setup", () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await Fixture.start();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test("a first use without it says what to run", async () => {
    const backend = fixture.backend({ table: "never" });
    for (const result of [
      await backend.read("/x"),
      await backend.write("/x", "y"),
      await backend.ls("/"),
      await backend.grep("x"),
      await backend.edit("/x", "a", "b"),
      ...(await backend.uploadFiles([["/x", Buffer.from("y")]])),
      ...(await backend.uploadFiles([
        ["/x", Buffer.from("y")],
        ["/z", Buffer.from("y")],
      ])),
    ]) {
      expect(result.code).toBe("unavailable");
    }
    expect((await backend.read("/x")).error).toContain("await backend.setup()");
  });

  test("any number of processes may run it at once, again and again", async () => {
    const backends = Array.from({ length: 8 }, () =>
      fixture.backend({ schema: "crowded", namespace: "n" }),
    );
    await Promise.all(
      backends.map((backend, n) => backend.setup({ trigram: n % 2 === 0, watch: n % 3 === 0 })),
    );
    expect((await backends[0]?.write("/a", "x"))?.error).toBeUndefined();
    await backends[1]?.setup();
    expect((await backends[2]?.read("/a"))?.content).toBe("x");
    const { rows } = await fixture.pool.query("select version from crowded.fs_files_migrations");
    expect(rows).toEqual([{ version: 1 }, { version: 2 }]);
  });

  test("it completes tables that a dump has brought back without their functions", async () => {
    const backend = fixture.backend({ table: "restored", namespace: "n" });
    await backend.setup();
    await backend.write("/a", "x");
    const { rows } = await fixture.pool.query<{ drop: string }>(
      "select 'drop function ' || oid::regprocedure as drop from pg_proc where proname like 'restored_guard%'",
    );
    expect(rows).toHaveLength(2);
    for (const { drop } of rows) await fixture.pool.query(drop);
    const again = fixture.backend({ table: "restored", namespace: "n" });
    expect((await again.write("/b", "y")).code).toBe("unavailable");
    await again.setup();
    expect((await again.write("/b", "y")).error).toBeUndefined();
    const answers = await again.uploadFiles([
      ["/c", Buffer.from("z")],
      ["/d", Buffer.from("z")],
    ]);
    expect(answers.map(({ error }) => error)).toEqual([null, null]);
    expect((await again.read("/a")).content).toBe("x");
  });

  test("it refuses tables that a newer version made", async () => {
    const backend = fixture.backend({ table: "newer" });
    await backend.setup();
    await fixture.pool.query("insert into newer_migrations (version) values (1000)");
    await expect(backend.setup()).rejects.toMatchObject({ code: "unsupported" });
  });

  test("it refuses a database that cannot keep every text", async () => {
    await fixture.pool.query(
      "create database latin encoding 'LATIN1' locale 'C' template template0",
    );
    const pool = quietPool(fixture.server.info.url.replace(/postgres$/, "latin"));
    await expect(new PostgresBackend({ client: pool }).setup()).rejects.toMatchObject({
      code: "unsupported",
    });
    await pool.end();
  });

  test("it names the rights that are missing, and needs none for what is there", async () => {
    const { url } = fixture.server.info;
    await fixture.pool.query("create role nobody login");
    const pool = quietPool(url.replace("postgres@", "nobody@"), 2);
    const as = (schema: string): PostgresBackend => new PostgresBackend({ client: pool, schema });
    const refusal = async (call: Promise<void>): Promise<string> => {
      const thrown: unknown = await call.catch((error: unknown) => error);
      expect(thrown).toMatchObject({ code: "permission_denied" });
      return String(thrown);
    };
    expect(await refusal(as("other").setup())).toContain(
      'lacks CREATE on the database, for the schema "other"',
    );
    await fixture.pool.query("create schema other");
    expect(await refusal(as("other").setup())).toContain('lacks USAGE on the schema "other"');
    await fixture.pool.query("grant usage on schema other to nobody");
    expect(await refusal(as("other").setup())).toContain('lacks CREATE on the schema "other"');
    await fixture.backend({ schema: "other" }).setup();
    expect(await refusal(as("other").setup())).toContain("lacks SELECT on");
    await fixture.pool.query(
      "grant select on other.fs_files_migrations to nobody; grant select, insert, update, delete on other.fs_files to nobody",
    );
    await as("other").setup();
    expect(await refusal(as("other").setup({ watch: true }))).toContain(
      'lacks CREATE on the schema "other", and the ownership of the table "other"."fs_files"',
    );
    await fixture.backend({ schema: "other" }).setup({ watch: true, trigram: true });
    await as("other").setup({ watch: true, trigram: true });
    expect((await as("other").write("/a", "x")).error).toBeUndefined();
    expect((await as("other").move("/a", "/b")).error).toBeUndefined();
    await pool.end();
  });

  test("an index needs no right to create the extension where that is there", async () => {
    await fixture.backend({ table: "elsewhere" }).setup({ trigram: true });
    await fixture.pool.query("create role owner login; create schema owned authorization owner");
    const pool = quietPool(fixture.server.info.url.replace("postgres@", "owner@"), 2);
    const backend = new PostgresBackend({ client: pool, schema: "owned" });
    await backend.setup({ trigram: true });
    expect((await backend.write("/a", "a needle")).error).toBeUndefined();
    expect((await backend.grep("needle")).matches).toHaveLength(1);
    await pool.end();
  });

  test("a search uses the trigram index, and sees one that comes later", async () => {
    const backend = fixture.backend({ table: "later" });
    await backend.setup();
    await backend.uploadFiles(
      Array.from({ length: 3000 }, (_, n) => [
        `/f${n}`,
        Buffer.from(`${"filler ".repeat(100)}\nneedle${n}\n`),
      ]),
    );
    expect((await backend.grep("needle2999")).matches).toHaveLength(1);
    await backend.setup({ trigram: true });
    expect((await backend.grep("needle2999")).matches).toEqual([
      { path: "/f2999", line: 2, text: "needle2999" },
    ]);
    await expect
      // A connection reports what it used once it has been idle for a while.
      .poll(async () => {
        const found = await fixture.pool.query<{ scans: string }>(
          "select idx_scan::text as scans from pg_stat_user_indexes where indexrelname = 'later_trigram'",
        );
        return Number(found.rows[0]?.scans);
      })
      .toBeGreaterThan(0);
  });

  test("the file table keeps size and line count right, whoever writes", async () => {
    const backend = fixture.backend({ namespace: "sql" });
    await fixture.pool.query(
      "insert into fs_files (namespace, path, content, mime_type) values ('sql', '/by-hand.txt', E'one\\ntwo', 'text/plain')",
    );
    expect(await backend.read("/by-hand.txt", 1)).toMatchObject({ content: "two", totalLines: 2 });
    expect((await backend.ls("/")).files).toMatchObject([{ path: "/by-hand.txt", size: 7 }]);
  });
});
