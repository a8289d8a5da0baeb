import { randomUUID } from "node:crypto";
import type { FileChange } from "@fs/protocol";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pglitePool, PostgresBackend } from "@fs/postgres";
import { Fixture, quietPool } from "./test-backends.js";

describeWithServer("postgres", "watch", () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await Fixture.start();
    await fixture.backend().setup({ watch: true });
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  const take = async (
    changes: AsyncIterable<FileChange> | undefined,
    count: number,
  ): Promise<string[]> => {
    const taken: string[] = [];
    for await (const { type, path } of changes ?? []) {
      taken.push(`${type} ${path}`);
      if (taken.length === count) break;
    }
    return taken;
  };
  const listeners = async (): Promise<number> =>
    (await fixture.pool.query(LISTENERS)).rowCount ?? 0;
  const cut = async (): Promise<number> =>
    (await fixture.pool.query(`select pg_terminate_backend(pid) from (${LISTENERS}) as l`))
      .rowCount ?? 0;
  // The last thing that a listening connection was asked is whether the trigger is there.
  const LISTENERS = `select pid from pg_stat_activity
    where state = 'idle' and query like 'select 1 from pg_trigger%'`;

  test("reports each kind of change below its path by anybody, and leaves no connection behind", async () => {
    const namespace = `${randomUUID()}\nof two lines`;
    const [watcher, writer] = [fixture.backend({ namespace }), fixture.backend({ namespace })];
    const { changes } = await watcher.watch("/in/");
    expect(await listeners()).toBe(1);
    await fixture.backend().write("/in/theirs", "x");
    await writer.write("/inside", "not this");
    await writer.write("/in/a b", "x");
    await writer.edit("/in/a b", "x", "y");
    await writer.move("/in/a b", "/in/d/c");
    await writer.uploadFiles([["/in/d/c", Buffer.from("z")]]);
    await writer.move("/in/d", "/in/e");
    await writer.copy("/in/e/c", "/in/f");
    await writer.delete("/in");
    const told = await take(changes, 9);
    expect(told.slice(0, 7)).toEqual([
      "created /in/a b",
      "changed /in/a b",
      "deleted /in/a b",
      "created /in/d/c",
      "changed /in/d/c",
      "deleted /in/d/c",
      "created /in/e/c",
    ]);
    expect(told.slice(7)).toEqual(["created /in/f", expect.stringMatching("deleted /in/(e/c|f)")]);
    await expect.poll(listeners).toBe(0);
  });

  test("tells a path of any length, and no refused call", async () => {
    const files = fixture.backend();
    const long = `/${"x".repeat(250)}${`/${"é".repeat(120)}`.repeat(15)}`;
    await files.write("/refused", "x");
    const { changes } = await files.watch();
    await files.write("/refused", "y");
    await files.edit("/refused", "none", "y");
    await files.delete("/missing");
    expect(await files.write(long, "x")).toMatchObject({ path: long });
    expect(await take(changes, 1)).toEqual([`created ${long}`]);
  });

  test("tells what a transaction does to one file again and again, in its order", async () => {
    const namespace = randomUUID();
    const files = fixture.backend({ namespace });
    const { changes } = await files.watch("/f");
    const statement = `begin;
      insert into fs_files (namespace, path, content, mime_type) values ('${namespace}', '/f', '1', 'text/plain');
      delete from fs_files where namespace = '${namespace}';
      insert into fs_files (namespace, path, content, mime_type) values ('${namespace}', '/f', '2', 'text/plain');
      commit`;
    await fixture.pool.query(statement);
    expect(await take(changes, 3)).toEqual(["created /f", "deleted /f", "created /f"]);
  });

  test("says that it missed something once it listens again, and goes on", async () => {
    const files = fixture.backend();
    const { changes } = await files.watch("/in");
    let round = 0;
    expect(await cut()).toBe(1);
    for await (const { type, path } of changes ?? []) {
      if (path === "/in") {
        expect(type).toBe("changed");
        await files.write(`/in/${round}`, "x");
        continue;
      }
      expect(`${type} ${path}`).toBe(`created /in/${round}`);
      if (++round === 3) break;
      expect(await cut()).toBe(1);
    }
    expect(round).toBe(3);
    await expect.poll(listeners).toBe(0);
  });

  test("outlives its server", async ({ skip }) => {
    if (fixture.server.external) skip("the server is not ours to kill");
    const files = fixture.backend();
    const { changes } = await files.watch("/in");
    await fixture.server.kill();
    await fixture.server.restart();
    expect(await take(changes, 1)).toEqual(["changed /in"]);
  });

  test("ends with its signal, its backend and its pool", async () => {
    const abort = new AbortController();
    const files = fixture.backend();
    const taken = take((await files.watch("/", { signal: abort.signal })).changes, 1);
    abort.abort();
    expect(await taken).toEqual([]);
    expect(await files.watch("/", { signal: abort.signal })).toMatchObject({ code: "aborted" });

    const own = new PostgresBackend({ url: fixture.server.info.url });
    for (const backend of [own, files]) {
      const rest = take((await backend.watch()).changes, 1);
      await backend[Symbol.asyncDispose]();
      expect(await rest).toEqual([]);
    }
    expect(await own.watch()).toMatchObject({ code: "unavailable" });
    await expect.poll(listeners).toBe(0);
  });

  test("ends when its pool does, if only at its next loss", async () => {
    const pool = quietPool(fixture.server.info.url);
    const { changes } = await new PostgresBackend({ client: pool }).watch();
    const ended = pool.end();
    expect(await cut()).toBe(1);
    expect(await take(changes, 1)).toEqual([]);
    await ended;
  });

  test("gives back a connection that it got too late", async () => {
    const pool = quietPool(fixture.server.info.url, 2);
    const held = await Promise.all([pool.connect(), pool.connect()]);
    const abort = new AbortController();
    const answer = new PostgresBackend({ client: pool }).watch("/", { signal: abort.signal });
    await expect.poll(() => pool.waitingCount).toBe(1);
    abort.abort();
    expect(await answer).toMatchObject({ code: "aborted" });
    for (const client of held) client.release();
    await expect.poll(() => pool.idleCount).toBe(2);
    await pool.end();
  });

  test("refuses what it cannot watch", async () => {
    expect(await fixture.backend().watch("../x")).toMatchObject({ code: "invalid_path" });
    const away = new PostgresBackend({ url: "postgres://u:secret@127.0.0.1:1/x" });
    const failed = await away.watch();
    expect(failed).toMatchObject({ code: "unavailable" });
    expect(failed.error).not.toContain("secret");
    const silent = pglitePool({ query: async () => ({ rows: [] }) });
    const backend = new PostgresBackend({ client: silent });
    expect(await backend.watch()).toMatchObject({ code: "unsupported" });
    const unset = fixture.backend({ table: "without_watch" });
    await unset.setup();
    const hinted = await unset.watch();
    expect(hinted.code).toBe("unsupported");
    expect(hinted.error).toContain("setup({ watch: true })");
    await unset.setup({ watch: true });
    const abort = new AbortController();
    expect((await unset.watch("/", { signal: abort.signal })).error).toBeUndefined();
    abort.abort();
    await expect.poll(listeners).toBe(0);
  });
});
