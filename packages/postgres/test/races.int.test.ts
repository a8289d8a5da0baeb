import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildProjects } from "@fs/test-servers/built";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { PostgresBackend } from "@fs/postgres";
import { Fixture, quietPool } from "./test-backends.js";

const run = promisify(execFile);

describeWithServer("postgres", "clients at the same time", () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await Fixture.start();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  /** Clients of one namespace, which share no queue. */
  function clients(count: number): PostgresBackend[] {
    const namespace = randomUUID();
    return Array.from({ length: count }, () => fixture.backend({ namespace }));
  }

  test("two processes edit one file and nothing is lost", async () => {
    buildProjects("packages/postgres");
    const namespace = randomUUID();
    const backend = fixture.backend({ namespace });
    await backend.write("/log", "<end>");
    await backend.write("/count", "a=0;b=0;");
    const script = fileURLToPath(new URL("hammer-process.mjs", import.meta.url));
    const hammer = (name: string): Promise<unknown> =>
      run(process.execPath, [script, fixture.server.info.url, namespace, name, "150"]);
    await Promise.all([hammer("a"), hammer("b")]);
    const log = await backend.read("/log", 0, 1000);
    const lines = String(log.content).split("\n").slice(0, -1);
    for (const name of ["a", "b"]) {
      expect(lines.filter((line) => line.startsWith(name))).toEqual(
        Array.from({ length: 150 }, (_, n) => `${name} ${n}`),
      );
    }
    expect((await backend.read("/count")).content).toBe("a=150;b=150;");
  });

  test("a path is never a file and a directory, whoever comes first", async () => {
    const backends = clients(8);
    for (let round = 0; round < 25; round++) {
      const results = await Promise.all(
        backends.map((backend, n) =>
          backend.write(n % 2 === 0 ? `/r${round}` : `/r${round}/${n}/x`, "x"),
        ),
      );
      const files = results.filter((result, n) => n % 2 === 0 && result.error === undefined).length;
      const below = results.filter((result, n) => n % 2 === 1 && result.error === undefined).length;
      expect([files, below]).toEqual(files === 1 ? [1, 0] : [0, 4]);
    }
  });

  test("a batch, a move and single writes agree on what is a directory", async () => {
    const [first, second, third] = clients(3) as [
      PostgresBackend,
      PostgresBackend,
      PostgresBackend,
    ];
    for (let round = 0; round < 25; round++) {
      await first.write(`/m${round}/x`, "x");
      const [batch, moved, written] = await Promise.all([
        first.uploadFiles([
          [`/t${round}`, Buffer.from("1")],
          [`/u${round}`, Buffer.from("2")],
        ]),
        second.move(`/m${round}`, `/t${round}`),
        third.write(`/t${round}/y/z`, "x"),
      ]);
      const asFile = batch[0]?.error === null;
      const asDirectory = moved.error === undefined || written.error === undefined;
      expect([asFile, asDirectory]).toEqual(asFile ? [true, false] : [false, true]);
      expect(batch[1]?.error).toBeNull();
    }
  });

  test("a batch that locks directories instead of files keeps both apart from single writes all the same", async () => {
    const [first, second, third, fourth] = clients(4) as [
      PostgresBackend,
      PostgresBackend,
      PostgresBackend,
      PostgresBackend,
    ];
    const won = { batch: 0, rivals: 0 };
    for (let round = 0; round < 15; round++) {
      const root = `/b${round}`;
      await second.write(`/from${round}/x`, "x");
      const names = Array.from({ length: 150 }, (_, n) => `${root}/d${n % 3}/e/f${n}`);
      const [batch, ...rivals] = await Promise.all([
        first.uploadFiles([...names, `${root}/top`].map((name) => [name, Buffer.from("x")])),
        second.move(`/from${round}`, `${root}/d0/e/f3`),
        third.write(`${root}/d1/e/f4/below`, "x"),
        fourth.write(`${root}/d2/e`, "x"),
        second.write(`${root}/top/below`, "x"),
        third.write(root, "x"),
      ]);
      won.batch += batch.filter(({ error }) => error === null).length;
      won.rivals += rivals.filter(({ error }) => error === undefined).length;
      const paths = ((await first.glob("**")).files ?? []).map(({ path }) => path);
      expect(paths.filter((path) => paths.some((other) => other.startsWith(`${path}/`)))).toEqual(
        [],
      );
      for (const { path, error } of batch) expect(paths.includes(path)).toBe(error === null);
    }
    expect(won.batch).toBeGreaterThan(0);
    expect(won.rivals).toBeGreaterThan(0);
  });

  test("batches and trees in opposite orders all succeed in the end", async () => {
    const backends = clients(4);
    const names = Array.from({ length: 40 }, (_, n) => `/d/${n}`);
    const results = await Promise.all(
      backends.flatMap((backend, n) => [
        backend.uploadFiles(
          (n % 2 === 0 ? names : names.toReversed()).map((name) => [name, Buffer.from(String(n))]),
        ),
        backend.uploadFiles(names.map((name) => [name, Buffer.from("x")])),
      ]),
    );
    expect(results.flat().filter(({ error }) => error !== null)).toEqual([]);
  });

  test("of many creators one wins, and the version never comes again", async () => {
    const backends = clients(10);
    const results = await Promise.all(
      backends.map((backend, n) => backend.write("/one", String(n))),
    );
    expect(results.filter(({ error }) => error === undefined)).toHaveLength(1);
    const [backend] = backends as [PostgresBackend];
    const { version } = await backend.read("/one");
    await backend.delete("/one");
    await backend.write("/one", "again");
    expect(
      (await backend.edit("/one", "again", "x", false, { ifVersion: version ?? "" })).code,
    ).toBe("conflict");
  });

  test("transactions that block each other are sent again", async () => {
    const namespace = randomUUID();
    const backend = fixture.backend({ namespace });
    await backend.write("/a", "x");
    await backend.write("/b", "x");
    const pool = quietPool(fixture.server.info.url);
    const rival = await pool.connect();
    try {
      const lock = "select 1 from fs_files where namespace = $1 and path = $2 for update";
      await rival.query("begin; set local deadlock_timeout = '10s'");
      await rival.query(lock, [namespace, "/b"]);
      // The move holds /a and waits for /b; then the rival waits for /a. The server ends the move, which comes again.
      const moved = backend.move("/a", "/b", { overwrite: true });
      await expect
        .poll(async () => (await pool.query("select 1 from pg_locks where not granted")).rowCount)
        .toBeGreaterThan(0);
      await rival.query(lock, [namespace, "/a"]);
      await rival.query("commit");
      expect(await moved).toEqual({ path: "/b", files: 1 });
    } finally {
      rival.release();
      await pool.end();
    }
  });

  test("a file that another one replaces while it is removed is there to be removed (A7)", async () => {
    const namespace = randomUUID();
    const backend = fixture.backend({ namespace });
    await backend.write("/a", "old");
    await backend.write("/b", "new");
    const pool = quietPool(fixture.server.info.url);
    const rival = await pool.connect();
    try {
      const [where, at] = [
        "where namespace = $1 and path = $2",
        (path: string) => [namespace, path],
      ];
      await rival.query("begin");
      await rival.query(`delete from fs_files ${where}`, at("/a"));
      await rival.query(`update fs_files set path = '/a' ${where}`, at("/b"));
      const removed = backend.delete("/a");
      await expect
        .poll(async () => (await pool.query("select 1 from pg_locks where not granted")).rowCount)
        .toBeGreaterThan(0);
      await rival.query("commit");
      expect(await removed).toEqual({ path: "/a" });
      expect((await backend.glob("**")).files).toEqual([]);
    } finally {
      rival.release();
      await pool.end();
    }
  });
});
