import { randomUUID } from "node:crypto";
import {
  openFaultyLink,
  startPostgres,
  startStandby,
  type FaultyLink,
  type PostgresInfo,
  type TestServer,
} from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import pg from "pg";
import { PostgresBackend } from "@fs/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";

describeWithServer("postgres", "a server with a standby that streams from it", () => {
  let primary: TestServer<PostgresInfo>;
  let standby: TestServer<PostgresInfo>;
  let link: FaultyLink;
  const portOf = (server: TestServer<PostgresInfo>): number =>
    Number(new URL(server.info.url).port);
  const ask = async (server: TestServer<PostgresInfo>, ...statements: string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: server.info.url });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };

  beforeAll(async () => {
    primary = await startPostgres();
    await using backend = new PostgresBackend({ url: primary.info.url });
    await backend.setup({ watch: true });
    standby = await startStandby(primary);
    // What is acknowledged is on both, so that a failover loses nothing of it.
    await ask(
      primary,
      "alter system set synchronous_standby_names = '*'",
      "alter system set synchronous_commit = 'remote_apply'",
      "select pg_reload_conf()",
    );
    link = await openFaultyLink(portOf(primary));
  });
  afterAll(async () => {
    await link?.stop();
    await standby?.stop();
    await primary?.stop();
  });

  test("the standby answers every read, and refuses every change with its own code", async ({
    skip,
  }) => {
    if (primary.external) skip("the server is not ours to copy");
    const namespace = randomUUID();
    await using files = new PostgresBackend({ url: primary.info.url, namespace });
    await using copy = new PostgresBackend({ url: standby.info.url, namespace });
    await expect
      .poll(async () => (await files.write(`/d/${randomUUID()}`, "needle")).error)
      .toBeUndefined();
    await files.write("/a", "needle\n");
    await expect.poll(async () => (await copy.read("/a")).content).toBe("needle\n");
    expect((await copy.ls("/")).files).toEqual((await files.ls("/")).files);
    expect((await copy.grep("needle")).matches).toHaveLength(2);
    expect((await copy.glob("**")).files).toHaveLength(2);
    for (const refused of [
      await copy.write("/b", "x"),
      await copy.edit("/a", "needle", "thread"),
      await copy.multiEdit("/a", [{ old: "needle", new: "thread" }]),
      await copy.delete("/a"),
      await copy.delete("/d"),
      await copy.move("/a", "/b"),
      await copy.move("/d", "/e"),
      await copy.copy("/a", "/b"),
    ]) {
      expect(refused.code).toBe("permission_denied");
      expect(refused.error).toContain("accepts no writes");
    }
    expect(await copy.uploadFiles([["/b", Buffer.from("x")]])).toMatchObject([
      { code: "permission_denied" },
    ]);
    // Notifications are not part of what a standby gets.
    expect((await copy.watch("/")).changes).toBeUndefined();
  });

  test("calls go on over a failover: nothing acknowledged is lost, and nothing is done twice", async ({
    skip,
  }) => {
    if (primary.external) skip("the server is not ours to kill");
    const namespace = randomUUID();
    const url = primary.info.url.replace(`:${portOf(primary)}`, `:${link.port}`);
    const limits = { connectTimeoutMs: 2000, callTimeoutMs: 5000 };
    await using files = new PostgresBackend({ url, namespace, ...limits });
    await files.write("/log", "<end>");
    const acknowledged = new Set<string>();
    const refused = new Set<string>();
    const codes = new Set<string>();
    const over = new AbortController();
    const work = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; !over.signal.aborted; n++) {
        const token = `[${writer}.${n}]`;
        const { error, code } = await files.edit("/log", "<end>", `${token}\n<end>`);
        if (error === undefined) acknowledged.add(token);
        else {
          codes.add(code);
          if (!/\bmay\b/.test(error)) refused.add(token);
        }
        const path = `/new/${writer}/${n}`;
        // Only this client writes here: "already there" would be this very call, done and then denied.
        expect((await files.write(path, path)).code).not.toBe("already_exists");
      }
    });
    const reach = async (count: number): Promise<void> => {
      await expect.poll(() => acknowledged.size).toBeGreaterThan(count);
    };
    await reach(30);
    await primary.kill();
    // What takes the address over is read-only for a while.
    link.redirect(portOf(standby));
    await expect.poll(() => codes.has("permission_denied")).toBe(true);
    await ask(
      standby,
      "select pg_promote()",
      "alter system reset synchronous_standby_names",
      "select pg_reload_conf()",
    );
    await reach(acknowledged.size + 30);
    over.abort();
    await Promise.all(work);
    // Whether a call was under way when the primary ended is a matter of time; that no other refusal comes is not.
    expect([...codes].filter((c) => c !== "permission_denied" && c !== "unavailable")).toEqual([]);
    const text = String((await files.readRaw("/log")).data?.content);
    const lines = text.split("\n").filter((line) => line !== "<end>");
    expect(new Set(lines).size).toBe(lines.length);
    const stored = new Set(lines);
    expect([...acknowledged].filter((token) => !stored.has(token))).toEqual([]);
    expect([...refused].filter((token) => stored.has(token))).toEqual([]);
  });
});
