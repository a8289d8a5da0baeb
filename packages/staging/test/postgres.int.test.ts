import { conformance } from "@fs/conformance/vitest";
import { PostgresBackend } from "@fs/postgres";
import { type PostgresInfo, startPostgres, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import pg from "pg";
import { earns } from "./earns.js";
import { SPLITS, STORED_ELSEWHERE } from "./splits.js";
import { stagingOver } from "./staging-over.js";

describeWithServer("postgres", "staging over PostgresBackend", () => {
  for (const split of SPLITS) {
    let server: TestServer<PostgresInfo>;
    let pool: pg.Pool;
    const open = (namespace: string): PostgresBackend =>
      new PostgresBackend({ client: pool, namespace });
    conformance(
      stagingOver(
        {
          name: "postgres",
          // Each call is several transactions, of which a busy machine does twenty in a second.
          timeoutMs: 60_000,
          setup: async () => {
            server = await startPostgres();
            pool = new pg.Pool({ connectionString: server.info.url });
            pool.on("error", () => undefined);
            await open("setup").setup();
          },
          teardown: async () => {
            await pool.end();
            await server.stop();
          },
          create: ({ ns }) => open(`${ns}/base`),
          reopen: ({ ns }) => open(`${ns}/base`),
          profile: { durable: true },
        },
        { split, upper: (ns) => open(`${ns}/upper`) },
      ),
      { ...STORED_ELSEWHERE, onReport: earns("core", "safe", "durable") },
    );
  }
});
