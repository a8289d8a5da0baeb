import { conformance } from "@fs/conformance/vitest";
import { startPostgres, type PostgresInfo, type TestServer } from "@fs/test-servers";
import { describeWithServer } from "@fs/test-servers/vitest";
import type pg from "pg";
import { PostgresBackend } from "@fs/postgres";
import { quietPool } from "./test-backends.js";

describeWithServer("postgres", "PostgresBackend", () => {
  let server: TestServer<PostgresInfo>;
  let pool: pg.Pool;
  let otherPool: pg.Pool;
  const setup = async (): Promise<void> => {
    server = await startPostgres();
    pool = quietPool(server.info.url);
    otherPool = quietPool(server.info.url);
    await new PostgresBackend({ pool }).setup({ trigram: true, watch: true });
  };
  const teardown = async (): Promise<void> => {
    await Promise.all([pool.end(), otherPool.end()]);
    await server.stop();
  };

  conformance({
    name: "postgres",
    setup,
    teardown,
    create: ({ ns }) => new PostgresBackend({ pool, namespace: ns }),
    peer: ({ ns }) => new PostgresBackend({ pool: otherPool, namespace: ns }),
    reopen: ({ ns }) => ({
      backend: new PostgresBackend({ connectionString: server.info.url, namespace: ns }),
    }),
    outOfBand: ({ ns }) => ({
      put: async (path, bytes) => {
        await pool.query(
          `insert into fs_files (namespace, path, bytes, mime_type) values ($1, $2, $3, '')
            on conflict (namespace, path) do update set content = null, bytes = excluded.bytes`,
          [ns, path, Buffer.from(bytes)],
        );
      },
      get: async (path) => {
        const { rows } = await pool.query<{ bytes: Buffer }>(
          `select coalesce(bytes, convert_to(content, 'UTF8')) as bytes
            from fs_files where namespace = $1 and path = $2`,
          [ns, path],
        );
        return rows[0]?.bytes;
      },
    }),
    profile: { durable: true },
    secrets: ["postgres://", "127.0.0.1"],
  });
});
