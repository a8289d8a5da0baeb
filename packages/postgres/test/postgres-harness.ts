import { isUtf8 } from "node:buffer";
import type { Harness } from "@fs/conformance";
import { startPostgres, type PostgresInfo, type TestServer } from "@fs/test-servers";
import type pg from "pg";
import { type PgPool, PostgresBackend } from "@fs/postgres";
import { meteredPool, quietPool } from "./test-backends.js";

/** A table of a server of its own, with a second client, and what is asked of it counted. */
export function postgresHarness(): Harness {
  let server: TestServer<PostgresInfo>;
  let pool: pg.Pool;
  let otherPool: pg.Pool;
  let metered: PgPool;
  let requests = 0;
  const setup = async (): Promise<void> => {
    server = await startPostgres();
    pool = quietPool(server.info.url);
    otherPool = quietPool(server.info.url);
    metered = meteredPool(pool, () => requests++);
    await new PostgresBackend({ client: pool }).setup({ trigram: true, watch: true });
  };
  const teardown = async (): Promise<void> => {
    await Promise.all([pool.end(), otherPool.end()]);
    await server.stop();
  };

  return {
    name: "postgres",
    setup,
    teardown,
    create: ({ ns }) => new PostgresBackend({ client: metered, namespace: ns }),
    peer: ({ ns }) => new PostgresBackend({ client: otherPool, namespace: ns }),
    reopen: ({ ns }) => ({
      backend: new PostgresBackend({ url: server.info.url, namespace: ns }),
    }),
    meter: () => ({ requests }),
    outOfBand: ({ ns }) => ({
      put: async (path, bytes) => {
        const text = isUtf8(bytes) && !bytes.includes(0) && !path.endsWith(".png");
        await pool.query(
          `insert into fs_files (namespace, path, content, bytes, mime_type) values ($1, $2, $3, $4, '')
            on conflict (namespace, path) do update
              set content = excluded.content, bytes = excluded.bytes, version = default`,
          [ns, path, text ? Buffer.from(bytes).toString() : null, text ? null : Buffer.from(bytes)],
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
    profile: { durable: true, watch: true },
    secrets: ["postgres://", "127.0.0.1"],
  };
}
