import { randomUUID } from "node:crypto";
import { startPostgres, type PostgresInfo, type TestServer } from "@fs/test-servers";
import pg from "pg";
import { type PgPool, PostgresBackend, type PostgresBackendOptions } from "@fs/postgres";

/** A server with a pool, and backends over it, each with a namespace of its own unless told. */
export class Fixture implements AsyncDisposable {
  readonly server: TestServer<PostgresInfo>;
  readonly pool: pg.Pool;

  private constructor(server: TestServer<PostgresInfo>) {
    this.server = server;
    this.pool = quietPool(server.info.url);
  }

  static async start(): Promise<Fixture> {
    const fixture = new Fixture(await startPostgres());
    await fixture.backend().setup();
    return fixture;
  }

  backend(
    options: Partial<Omit<PostgresBackendOptions, "url" | "client">> & { client?: PgPool } = {},
  ): PostgresBackend {
    const { client = this.pool, ...rest } = options;
    return new PostgresBackend({ namespace: randomUUID(), client, ...rest });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.pool.end();
    await this.server.stop();
  }
}

/** A pool that survives its server: what `pg` asks of every owner of a pool. */
export function quietPool(connectionString: string, max = 20): pg.Pool {
  const pool = new pg.Pool({ connectionString, max });
  pool.on("error", () => undefined);
  return pool;
}

/** A pool that tells of every statement it sends. */
export function meteredPool(pool: pg.Pool, onStatement: (text: string) => void): PgPool {
  return {
    connect: async () => {
      const client = await pool.connect();
      return {
        query: (query) => {
          onStatement(query.text);
          return client.query(query);
        },
        release: (destroy) => client.release(destroy),
        on: (event, listener) => client.on(event as "notification", listener),
        removeListener: (event, listener) => client.removeListener(event, listener),
      };
    },
  };
}

/** A statement that was sent, and what came back. */
export interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly rows: readonly unknown[];
}

/** A pool that reports every statement with its answer. */
export function recordingPool(pool: pg.Pool, onAnswer: (sent: Sent) => void): PgPool {
  return {
    connect: async () => {
      const client = await pool.connect();
      return {
        query: async (query) => {
          const { rows } = await client.query(query);
          onAnswer({ text: query.text, values: query.values ?? [], rows });
          return { rows };
        },
        release: (destroy) => client.release(destroy),
      };
    },
  };
}
