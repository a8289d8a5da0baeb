import { randomUUID } from "node:crypto";
import { describeWithServer } from "@fs/test-servers/vitest";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PostgresBackend } from "@fs/postgres";
import { Fixture } from "./test-backends.js";

describeWithServer("postgres", "outages", () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await Fixture.start();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test("every acknowledged write is there after the server was killed in the middle", async ({
    skip,
  }) => {
    if (fixture.server.external) skip("the server is not ours to kill");
    await using backend = new PostgresBackend({
      url: fixture.server.info.url,
      namespace: randomUUID(),
    });
    await backend.write("/log", "<end>");
    const acknowledged: string[] = [];
    const refused: string[] = [];
    let written = 0;
    const stop = new AbortController();
    const writer = async (name: string): Promise<void> => {
      for (let n = 0; !stop.signal.aborted; n++) {
        const path = `/${name}/${n}`;
        const { error, code } = await backend.write(path, path);
        if (error === undefined) acknowledged.push(path);
        else {
          expect(code).toBe("unavailable");
          refused.push(error);
        }
        written++;
      }
    };
    const writers = ["a", "b", "c", "d"].map(writer);
    const reached = async (count: number): Promise<void> => {
      await expect.poll(() => written, { interval: 5 }).toBeGreaterThan(count);
    };
    await reached(100);
    await fixture.server.kill();
    const beforeRestart = acknowledged.length;
    await fixture.server.restart();
    await expect
      .poll(() => acknowledged.length, { interval: 5 })
      .toBeGreaterThan(beforeRestart + 100);
    stop.abort();
    await Promise.all(writers);
    expect(refused.length).toBeGreaterThan(0);
    for (const sentence of refused) expect(sentence).not.toMatch(/127\.0\.0\.1|postgres:/);
    const fetched = await backend.downloadFiles(acknowledged);
    expect(
      fetched.filter(({ path, content }) => Buffer.from(content ?? []).toString() !== path),
    ).toEqual([]);
  });

  test("nothing of the connection string is ever told", async () => {
    for (const connectionString of [
      "postgres://someone:hunter2@127.0.0.1:1/secretdb",
      "postgres://someone:hunter2@127.0.0.1:1/secretdb?sslmode=hunter2",
      "postgres://someone:hunt%er2@secrethost:x1/secretdb",
      "://hunter2",
      `${fixture.server.info.url}hunter2`,
    ]) {
      await using backend = new PostgresBackend({ url: connectionString });
      const results = [
        await backend.read("/x"),
        await backend.write("/x", "y"),
        await backend.grep("x"),
        ...(await backend.uploadFiles([["/x", Buffer.from("y")]])),
      ];
      for (const { code, error } of results) {
        expect(code).toBe("unavailable");
        expect(error).not.toMatch(/hunt|secret|someone|127\.0\.0\.1/);
      }
      const thrown = await backend.setup().catch((error: unknown) => error);
      expect(String(thrown)).not.toMatch(/hunt|secret|someone|127\.0\.0\.1/);
    }
  });

  test("a pool of its own is ended with the backend, one that was given is not", async () => {
    const own = new PostgresBackend({ url: fixture.server.info.url });
    await own.ls("/");
    await own[Symbol.asyncDispose]();
    expect((await own.ls("/")).code).toBe("unavailable");
    const borrowed = fixture.backend();
    await borrowed[Symbol.asyncDispose]();
    expect((await borrowed.ls("/")).files).toEqual([]);
  });

  test("no connection stays behind a failed transaction", async () => {
    const backend = fixture.backend();
    await backend.write("/a", "x");
    await backend.write("/b", "x");
    for (let n = 0; n < 50; n++)
      expect((await backend.move("/a", "/b")).code).toBe("already_exists");
    expect(fixture.pool.idleCount).toBe(fixture.pool.totalCount);
  });
});
