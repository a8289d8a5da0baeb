import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { describeWithServer } from "@fs/test-servers/vitest";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PgPool, PostgresBackend } from "@fs/postgres";
import { Fixture } from "./test-backends.js";

type Answer = { readonly error?: string | null | undefined; readonly code?: unknown };

/** A kind of change: its files before and after, and the call. */
interface Change {
  readonly before: Readonly<Record<string, number>>;
  readonly after: Readonly<Record<string, number>>;
  readonly call: (files: PostgresBackend, root: string) => Promise<Answer>;
}

const tree = (directory: string, count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`/${directory}/${n}`, 2000]));
const LARGE = 20 * 1024 * 1024;
/** Rounds after which a change that was never met on its way is a failure. */
const MOST_ROUNDS = 500;

const changes: Readonly<Record<string, Change>> = {
  "move a file": {
    before: { "/a": 100_000 },
    after: { "/b": 100_000 },
    call: (files, root) => files.move(`${root}/a`, `${root}/b`),
  },
  "copy a file": {
    before: { "/a": 100_000 },
    after: { "/a": 100_000, "/b": 100_000 },
    call: (files, root) => files.copy(`${root}/a`, `${root}/b`),
  },
  "move a directory": {
    before: tree("d", 100),
    after: tree("e", 100),
    call: (files, root) => files.move(`${root}/d`, `${root}/e`),
  },
  "copy a directory": {
    before: tree("d", 100),
    after: { ...tree("d", 100), ...tree("e", 100) },
    call: (files, root) => files.copy(`${root}/d`, `${root}/e`),
  },
  "upload more than one statement takes": {
    before: {},
    after: { "/1": LARGE, "/2": LARGE },
    call: async (files, root) => {
      const bytes = Buffer.alloc(LARGE, "x");
      const [one, two] = await files.uploadFiles([
        [`${root}/1`, bytes],
        [`${root}/2`, bytes],
      ]);
      expect(two?.error).toBe(one?.error);
      return one ?? {};
    },
  },
};

// An error of a connection that has no listener fails the whole run, whichever test is under way.
describeWithServer("postgres", "connections that are lost", () => {
  let fixture: Fixture;
  let victims: pg.Pool;
  beforeAll(async () => {
    fixture = await Fixture.start();
    const { url } = fixture.server.info;
    victims = new pg.Pool({ connectionString: url, max: 4, application_name: "victim" });
    victims.on("error", () => undefined);
  });
  afterAll(async () => {
    await victims.end();
    await fixture[Symbol.asyncDispose]();
  });

  const sizes = async (files: PostgresBackend, root: string): Promise<Record<string, number>> => {
    const found = (await files.glob(`${root}/**`)).files ?? [];
    return Object.fromEntries(found.map(({ path, size }) => [path.slice(root.length), size ?? -1]));
  };

  test.each(Object.entries(changes))(
    "to %s while its connection is terminated answers the truth",
    async (_, { before, after, call }) => {
      const namespace = randomUUID();
      const files = fixture.backend({ client: victims, namespace });
      const witness = fixture.backend({ namespace });
      let failed = 0;
      // A change of a few milliseconds may be over in all of the rounds: they go on until one was met on the way.
      for (let round = 0; round < 25 || (failed === 0 && round < MOST_ROUNDS); round++) {
        const root = `/${round}`;
        await witness.uploadFiles(
          Object.entries(before).map(([path, size]) => [`${root}${path}`, Buffer.alloc(size, "x")]),
        );
        const calling = call(files, root);
        if (round % 2 === 0) await delay(Math.random() * 8);
        await fixture.pool.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'victim'",
        );
        const { error, code } = await calling;
        const found = await sizes(witness, root);
        if (typeof error !== "string") expect(found).toEqual(after);
        else expect(code).toBe("unavailable");
        // The answer of an upload is a code without a sentence.
        if (typeof error !== "string") continue;
        failed++;
        if (!error.includes(" ") || error.includes("may or may not have been stored"))
          expect([before, after]).toContainEqual(found);
        else {
          expect(error).toMatch(/Nothing was changed|Try again later/);
          expect(found).toEqual(before);
        }
      }
      expect(failed).toBeGreaterThan(0);
      // A connection that was terminated while it was idle may be handed out once more, before the pool has seen its end.
      await expect.poll(async () => (await files.ls("/")).error).toBeUndefined();
    },
    120_000,
  );

  describe.each(["before", "after"])("an answer that is lost %s the change took effect", (when) => {
    test("to a statement: it may have happened, and is not undone", async () => {
      const namespace = randomUUID();
      const witness = fixture.backend({ namespace });
      await witness.write("/d/a", "x");
      const files = fixture.backend({ client: withoutAnswerTo(/relocated as/, when), namespace });
      const moved = await files.move("/d", "/e");
      expect(moved.code).toBe("unavailable");
      expect(moved.error).toContain("may or may not have been stored");
      expect(await sizes(witness, "")).toEqual({ [when === "after" ? "/e/a" : "/d/a"]: 1 });
    });

    test("to a commit: it may have happened, and is not undone", async () => {
      const namespace = randomUUID();
      const witness = fixture.backend({ namespace });
      const files = fixture.backend({ client: withoutAnswerTo(/^commit$/, when), namespace });
      const bytes = Buffer.alloc(LARGE, "x");
      const stored = await files.uploadFiles([
        ["/1", bytes],
        ["/2", bytes],
      ]);
      expect(stored.map(({ code }) => code)).toEqual(["unavailable", "unavailable"]);
      expect(await sizes(witness, "")).toEqual(
        when === "after" ? { "/1": LARGE, "/2": LARGE } : {},
      );
    });
  });

  /** A real pool whose connection ends at a statement, before or after the server has done it. */
  function withoutAnswerTo(text: RegExp, when: string): PgPool {
    return {
      connect: async () => {
        const client = await fixture.pool.connect();
        return {
          query: async (query) => {
            if (!text.test(query.text)) return client.query(query);
            // What undoes an open transaction does nothing outside of one.
            await client.query(when === "after" ? query : { text: "rollback" });
            throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
          },
          release: (destroy) => client.release(destroy),
        };
      },
    };
  }

  test("an idle connection that is lost ends nothing, also where the listener throws", async () => {
    const heard: unknown[] = [];
    const url = `${fixture.server.info.url}?application_name=idle`;
    await using files = new PostgresBackend({
      url,
      namespace: randomUUID(),
      onError: (error, { operation }) => {
        heard.push(operation);
        throw error;
      },
    });
    await files.write("/a", "x");
    await fixture.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'idle'",
    );
    await expect.poll(() => heard).toEqual(["idle"]);
    expect(await files.read("/a")).toMatchObject({ content: "x" });
  });

  test("a server killed in the middle of a move is an answer", async ({ skip }) => {
    if (fixture.server.external) skip("the server is not ours to kill");
    const files = fixture.backend();
    await files.write("/d/a", "x");
    const locker = await fixture.pool.connect();
    locker.on("error", () => undefined);
    await locker.query("begin");
    await locker.query("select 1 from fs_files for update");
    const moving = files.move("/d", "/e");
    const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";
    await expect.poll(async () => (await fixture.pool.query(waiting)).rowCount).toBe(1);
    await fixture.server.kill();
    const moved = await moving;
    expect(moved.code).toBe("unavailable");
    // The one statement of the move had been sent, and its answer never came.
    expect(moved.error).toContain("may or may not have been stored");
    locker.release(true);
    await fixture.server.restart();
    expect((await files.ls("/d")).files).toHaveLength(1);
  });
});
