import { PostgresBackend } from "@fs/postgres";
import { StoreBackend } from "@fs/store";
import { type PostgresInfo, startPostgres, type TestServer } from "@fs/test-servers";
import { PostgresStore } from "@langchain/langgraph-checkpoint-postgres/store";
import { StoreBackend as PeerBackend } from "deepagents";
import pg from "pg";
import type { Counter } from "../measure.js";
import { fill } from "../operations.js";
import type { Subject } from "../subject.js";

/** Counts the statements that clients of a pool send. */
function countStatements(pool: pg.Pool): Counter {
  let statements = 0;
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    Reflect.set(client, "query", (...given: unknown[]) => {
      statements++;
      return query(...given);
    });
  });
  return {
    take: () => {
      const taken = { statements };
      statements = 0;
      return taken;
    },
  };
}

/** PostgreSQL, beside a statement that does nothing, and what deepagents has for it: a LangGraph store. */
export function postgres(): Subject {
  let server: TestServer<PostgresInfo> | undefined;
  let spaces = 0;
  return {
    suite: "postgres",
    title: "PostgreSQL",
    sides: {
      ours: "PostgresBackend of @fs/postgres",
      peer: "StoreBackend of deepagents on PostgresStore",
      limit: "select 1",
    },
    clock: "wall",
    mostFiles: 100_000,
    open: async (files) => {
      server ??= await startPostgres();
      const pool = new pg.Pool({ connectionString: server.info.url, max: 4 });
      pool.on("error", () => undefined);
      const counter = countStatements(pool);
      const ours = new PostgresBackend({ client: pool, namespace: `space${++spaces}` });
      await ours.setup();
      await fill(ours, files);
      await pool.query("analyze fs_files");
      // Each of its searches reads the whole namespace, a hundred at a time: seconds for a call beyond this.
      const withPeer = files <= 10_000;
      const store = PostgresStore.fromConnString(server.info.url);
      const namespace = ["bench", `peer${spaces}`];
      if (withPeer) {
        await store.setup();
        await fill(new StoreBackend({ store, namespace }), files);
      }
      const nothing = (): unknown => pool.query("select 1");
      return {
        ours,
        ...(withPeer ? { peer: new PeerBackend({ store, namespace }) } : {}),
        limits: {
          read: nothing,
          write: nothing,
          edit: nothing,
          "ls of a directory of 100": nothing,
        },
        counters: { ours: counter },
        close: async () => {
          await store.stop();
          await pool.end();
        },
      };
    },
    stop: async () => server?.stop(),
  };
}
