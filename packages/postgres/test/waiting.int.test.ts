import { randomUUID } from "node:crypto";
import { describeWithServer } from "@fs/test-servers/vitest";
import type pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { PostgresBackend } from "@fs/postgres";
import { Fixture, quietPool } from "./test-backends.js";

describeWithServer("postgres", "what a call waits for", () => {
  let fixture: Fixture;
  let pool: pg.Pool;
  let namespace: string;
  let stopped: number[] = [];
  beforeAll(async () => {
    fixture = await Fixture.start();
    await fixture.backend().setup({ watch: true });
  });
  afterAll(() => fixture[Symbol.asyncDispose]());
  beforeEach(() => {
    pool = quietPool(fixture.server.info.url, 2);
    namespace = randomUUID();
  });
  afterEach(async () => {
    resume();
    await pool.end();
  });

  /** Stops the server's processes behind every idle connection of the pool, as a machine that hangs does. */
  const stall = async (skip: (note: string) => never): Promise<void> => {
    if (fixture.server.external) skip("the server is not ours to stop");
    const clients = await Promise.all([pool.connect(), pool.connect()]);
    for (const client of clients) {
      const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
      stopped.push(...rows.map(({ pid }) => pid));
      client.release();
    }
    for (const pid of stopped) process.kill(pid, "SIGSTOP");
  };
  const resume = (): void => {
    for (const pid of stopped) process.kill(pid, "SIGCONT");
    stopped = [];
  };
  const backend = (callTimeoutMs: number): PostgresBackend =>
    fixture.backend({ client: pool, namespace, callTimeoutMs, connectTimeoutMs: 200 });
  const abortSoon = (): AbortSignal => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    return controller.signal;
  };

  test("a server that does not answer is timeout to a read, and an unknown outcome to a change", async ({
    skip,
  }) => {
    await stall(skip);
    const files = backend(200);
    expect(await files.read("/a")).toMatchObject({ code: "timeout" });
    const written = await files.write("/a", "x");
    expect(written.code).toBe("unavailable");
    expect(written.error).toContain("may or may not have been stored");
  });

  test("a signal frees a call that waits for an answer, and later changes never overtake it", async ({
    skip,
  }) => {
    await fixture.backend({ namespace }).write("/a", "one");
    await stall(skip);
    const files = backend(30_000);
    expect(await files.read("/a", 0, 10, { signal: abortSoon() })).toMatchObject({
      code: "aborted",
    });
    const edited = await files.edit("/a", "one", "two", false, { signal: abortSoon() });
    expect(edited.code).toBe("aborted");
    expect(edited.error).toContain("may or may not have been stored");
    // The connection of the read was closed, so that this one gets a process that runs. It still waits.
    const later = files.edit("/a", "two", "three");
    const aborted = await files.edit("/a", "two", "never", false, { signal: abortSoon() });
    expect(aborted).toMatchObject({
      code: "aborted",
      error: expect.not.stringContaining("may or"),
    });
    expect((await files.write("/b", "independent")).error).toBeUndefined();
    resume();
    expect((await later).error).toBeUndefined();
    expect((await fixture.backend({ namespace }).read("/a")).content).toBe("three");
  });

  test("a pool without a free connection is unavailable in time, and a signal does not wait for one", async () => {
    const held = await Promise.all([pool.connect(), pool.connect()]);
    const files = backend(30_000);
    for (const call of [
      (signal?: AbortSignal) => files.read("/a", 0, 1, signal && { signal }),
      (signal?: AbortSignal) => files.write("/a", "x", signal && { signal }),
      (signal?: AbortSignal) => files.move("/a", "/b", signal && { signal }),
      (signal?: AbortSignal) => files.delete("/a", signal && { signal }),
    ]) {
      expect(await call()).toMatchObject({ code: "unavailable" });
      const aborted = await call(abortSoon());
      expect(aborted).toMatchObject({
        code: "aborted",
        error: expect.not.stringContaining("may or"),
      });
    }
    for (const client of held) client.release();
    expect((await files.write("/a", "x")).error).toBeUndefined();
    await expect.poll(() => [pool.waitingCount, pool.idleCount]).toEqual([0, pool.totalCount]);
  });

  test("watchers never take the last connection of a pool", async () => {
    const single = quietPool(fixture.server.info.url, 1);
    const files = fixture.backend({ client: single });
    const refused = await files.watch("/");
    expect(refused.code).toBe("unsupported");
    expect(refused.error).toContain("'max'");
    expect((await files.write("/a", "x")).error).toBeUndefined();
    await single.end();
    const two = fixture.backend({ client: pool });
    const first = await two.watch("/");
    expect(first.error).toBeUndefined();
    expect((await two.watch("/")).code).toBe("unsupported");
    expect((await two.write("/a", "x")).error).toBeUndefined();
    await first.changes?.[Symbol.asyncIterator]().return?.();
    const again = await two.watch("/");
    expect(again.error).toBeUndefined();
    await again.changes?.[Symbol.asyncIterator]().return?.();
  });

  test("lock time-outs, read-only databases and serialization failures have sentences of their own", async () => {
    const options = async (settings: string): Promise<PostgresBackend> => {
      const url = `${fixture.server.info.url}?options=${encodeURIComponent(settings)}`;
      const own = quietPool(url, 2);
      pools.push(own);
      return fixture.backend({ client: own, namespace });
    };
    const pools: pg.Pool[] = [];
    await fixture.backend({ namespace }).write("/a", "one");
    const locker = await fixture.pool.connect();
    await locker.query("begin");
    await locker.query("select 1 from fs_files where namespace = $1 for update", [namespace]);
    const impatient = await options("-c lock_timeout=50");
    const locked = await impatient.edit("/a", "one", "two");
    expect(locked).toMatchObject({ code: "timeout", error: expect.stringContaining("lock") });
    const slow = await options("-c statement_timeout=50");
    const cancelled = await slow.edit("/a", "one", "two");
    expect(cancelled).toMatchObject({
      code: "timeout",
      error: expect.stringContaining("cancelled"),
    });
    await locker.query("rollback");
    locker.release();
    const readOnly = await options("-c default_transaction_read_only=on");
    expect(await readOnly.read("/a")).toMatchObject({ content: "one" });
    for (const refused of [
      await readOnly.edit("/a", "one", "two"),
      await readOnly.write("/b", "x"),
      await readOnly.move("/a", "/b"),
      await readOnly.delete("/a"),
    ]) {
      expect(refused.code).toBe("permission_denied");
      expect(refused.error).toContain("accepts no writes");
    }
    await expect(readOnly.setup({ trigram: true })).rejects.toMatchObject({
      code: "permission_denied",
    });
    await Promise.all(pools.map((own) => own.end()));
  });
});
