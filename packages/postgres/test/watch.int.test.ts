import { randomUUID } from "node:crypto";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pglitePool, PostgresBackend, type FileChange } from "@fs/postgres";
import { Fixture } from "./test-backends.js";

describeWithServer("postgres", "watch", () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await Fixture.start();
    await fixture.backend().setup({ watch: true });
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test("tells every change of the namespace by anybody, and ends with its signal", async () => {
    const namespace = randomUUID();
    const [watcher, writer, stranger] = [
      fixture.backend({ namespace }),
      fixture.backend({ namespace }),
      fixture.backend(),
    ];
    const stop = new AbortController();
    const seen: FileChange[] = [];
    const watching = (async () => {
      for await (const change of watcher.watch({ signal: stop.signal })) seen.push(change);
    })();
    await expect
      .poll(async () => {
        await writer.write("/first", "x");
        await writer.delete("/first");
        return seen.length;
      })
      .toBeGreaterThan(0);
    const told = async (change: FileChange): Promise<void> => {
      await expect.poll(() => seen).toContainEqual(change);
    };
    await stranger.write("/theirs", "x");
    await writer.write("/a/b", "x");
    await told({ path: "/a/b", kind: "written" });
    await writer.move("/a", "/c");
    await told({ path: "/a/b", kind: "removed" });
    await told({ path: "/c/b", kind: "written" });
    await writer.write(`/${"x".repeat(250)}${`/${"y".repeat(250)}`.repeat(9)}`, "long");
    await told({ kind: "written" });
    stop.abort();
    await watching;
    expect(seen).not.toContainEqual({ path: "/theirs", kind: "written" });
    expect(fixture.pool.idleCount).toBe(fixture.pool.totalCount);
  });

  test("says when the connection is lost", async () => {
    const backend = fixture.backend();
    const watching = backend.watch();
    const next = watching.next();
    next.catch(() => undefined);
    await expect
      .poll(async () => {
        const { rowCount } = await fixture.pool.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %'",
        );
        return rowCount;
      })
      .toBe(1);
    await expect(next).rejects.toMatchObject({ code: "unavailable" });
  });

  test("is unsupported where the pool cannot listen", async () => {
    const silent = pglitePool({ query: async () => ({ rows: [] }) });
    await expect(new PostgresBackend({ pool: silent }).watch().next()).rejects.toMatchObject({
      code: "unsupported",
    });
  });
});
