import { startPostgres, type PostgresInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

describeWithServer("postgres", "startPostgres", () => {
  let server: TestServer<PostgresInfo>;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  async function query(text: string, values: unknown[] = []): Promise<unknown[]> {
    const client = new pg.Client(server.info.url);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(text, values)).rows;
    } finally {
      await client.end();
    }
  }

  test("has pg_trgm", async () => {
    await query("create extension if not exists pg_trgm");
    const [row] = await query("select round(similarity('hello', 'hallo')::numeric, 2)::text as s");
    expect(row).toEqual({ s: "0.33" });
  });

  test("a commit that was acknowledged just before a crash is there after it", async ({ skip }) => {
    skip(server.external, "the server is not ours to kill");
    await query("create table kept (n int)");
    const client = new pg.Client(server.info.url);
    client.on("error", (error) => expect(error.message).toContain("terminat"));
    await client.connect();
    for (let n = 0; n < 200; n++) await client.query("insert into kept values ($1)", [n]);
    await server.kill();
    await expect(query("select 1")).rejects.toThrow("ECONNREFUSED");
    await server.restart();
    expect(await query("select count(*)::int as n from kept")).toEqual([{ n: 200 }]);
  });
});
