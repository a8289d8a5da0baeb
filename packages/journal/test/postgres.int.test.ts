import { withJournal } from "@fs/journal";
import { postgresJournal } from "@fs/journal/postgres";
import { interceptBackend, MemoryBackend, runAsCaller, type SandboxFilesystem } from "@fs/protocol";
import { type PostgresInfo, startPostgres, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

describeWithServer("postgres", "a journal in PostgreSQL", () => {
  let server: TestServer<PostgresInfo>;
  let pool: pg.Pool;
  let statements = 0;
  const client = {
    query: (query: { text: string; values?: unknown[] }) => {
      statements++;
      return pool.query(query);
    },
  };
  beforeAll(async () => {
    server = await startPostgres();
    pool = new pg.Pool({ connectionString: server.info.url });
    pool.on("error", () => undefined);
  });
  afterAll(async () => {
    await pool.end();
    await server.stop();
  });

  test("records each change in two statements, and takes a turn back", async () => {
    const base = new MemoryBackend();
    const store = postgresJournal({ client, namespace: "one" });
    const files = withJournal(base, { store });
    expect((await files.write("/early", "x")).code).toBe("unavailable");
    // Several processes that start together set up together.
    await Promise.all(Array.from({ length: 10 }, () => store.setup()));
    await files.write("/a", "1\n");
    statements = 0;
    await runAsCaller({ turnId: "1" }, async () => {
      await files.edit("/a", "1", "2");
      await files.uploadFiles?.([["/b.png", new Uint8Array([0, 255])]]);
      await files.delete?.("/b.png");
    });
    expect(statements).toBe(6);
    const { lines } = await files.journal.blame("/a");
    expect(lines?.[0]?.record?.caller.turnId).toBe("1");
    const undone = await files.journal.undo({ turnId: "1" });
    expect(undone).toMatchObject({ complete: true });
    expect((await base.read("/a")).content).toBe("1\n");
    expect((await files.journal.redo(undone.record ?? "")).complete).toBe(true);
    expect((await base.read("/a")).content).toBe("2\n");
  });

  test("a namespace sees its own records, and drops what is old", async () => {
    const store = postgresJournal({ client, namespace: "two" });
    const files = withJournal(new MemoryBackend(), { store });
    expect((await files.journal.history()).records).toEqual([]);
    for (let n = 0; n < 3; n++) await files.write(`/${n}`, `content ${n}`);
    expect(await files.journal.prune({ maxRecords: 1, graceMs: 0 })).toEqual({
      records: 2,
      contents: 2,
    });
    expect((await files.journal.history()).records).toHaveLength(1);
  });

  test("a content that is stored again while it is dropped stays (J11)", async () => {
    const base = new MemoryBackend();
    const store = postgresJournal({ client, namespace: "three" });
    const files = withJournal(base, { store });
    await files.write("/a", "precious");
    await files.delete?.("/a");
    let raced = false;
    const racing = {
      query: async (query: { text: string; values?: unknown[] }) => {
        if (!raced && /^delete from .*contents/.test(query.text)) {
          raced = true;
          await files.write("/a", "precious");
        }
        return pool.query(query);
      },
    };
    const pruner = withJournal(base, {
      store: postgresJournal({ client: racing, namespace: "three" }),
    });
    expect(await pruner.journal.prune({ maxRecords: 0, graceMs: 0 })).toEqual({
      records: 2,
      contents: 0,
    });
    expect(raced).toBe(true);
    await runAsCaller({ turnId: "7" }, async () => files.delete?.("/a"));
    expect(await files.journal.undo({ turnId: "7" })).toMatchObject({ complete: true });
    expect((await base.read("/a")).content).toBe("precious");
  });

  test("records that share contents are stored beside each other", async () => {
    const files = withJournal(new MemoryBackend(), {
      store: postgresJournal({ client, namespace: "four" }),
    });
    const texts = Array.from({ length: 8 }, (_, n) => new Uint8Array([n]));
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, n) =>
        files.uploadFiles?.(
          (n % 2 === 0 ? texts : texts.toReversed()).map((bytes, at) => [`/${n}/${at}`, bytes]),
        ),
      ),
    );
    expect(answers.flat().filter((answer) => answer?.error !== null)).toEqual([]);
    expect((await files.journal.history()).records).toHaveLength(20);
  });

  const odd = "printf 'a\0b' \ud800";

  async function ran(namespace: string, schema?: string) {
    const execute = async (): Promise<object> => ({ output: "", exitCode: 0, truncated: false });
    const wrapped = interceptBackend(new MemoryBackend(), async (_, proceed) => proceed());
    const store = postgresJournal({ client, namespace, ...(schema ? { schema } : {}) });
    await store.setup();
    const files = withJournal(Object.assign(wrapped, { id: "box", execute }), { store });
    const answer = await (files as unknown as SandboxFilesystem).execute(odd);
    return { answer, records: (await files.journal.history()).records };
  }

  test("a command is recorded whatever its characters (J12)", async () => {
    const { answer, records } = await ran("five");
    expect(answer).toMatchObject({ exitCode: 0 });
    expect(records).toMatchObject([{ command: odd, outcome: "done" }]);
  });

  test("the table of an older version takes them too, and keeps its records", async () => {
    await pool.query("create schema older");
    await pool.query(`create table older.fs_journal (namespace text not null, id text not null,
      phase text not null, entry jsonb not null, primary key (namespace, id, phase))`);
    const old = postgresJournal({ client, namespace: "six", schema: "older" });
    await pool.query(`create table older.fs_journal_contents (namespace text not null, hash text not null,
      content bytea not null, stored_at timestamptz not null default now(), primary key (namespace, hash))`);
    // Before it is set up again it takes what it took.
    await withJournal(new MemoryBackend(), { store: old }).write("/a", "1");
    const { records } = await ran("six", "older");
    expect(records).toMatchObject([{ method: "write", outcome: "done" }, { command: odd }]);
  });
});
