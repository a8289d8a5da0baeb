import { PGlite } from "@electric-sql/pglite";
import { pglitePool, PostgresBackend } from "@fs/postgres";

/** PostgreSQL in this process, and a backend over it. */
export interface EmbeddedPostgres {
  readonly backend: PostgresBackend;
  /** The content of a text file as the table holds it, read by SQL past the backend. */
  stored(path: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Starts an embedded PostgreSQL in memory, with the table set up. */
export async function embeddedPostgres(): Promise<EmbeddedPostgres> {
  const database = await PGlite.create();
  const backend = new PostgresBackend({ client: pglitePool(database) });
  await backend.setup();
  return {
    backend,
    stored: async (path) => {
      const { rows } = await database.query<{ content: string }>(
        "select content from fs_files where path = $1",
        [path],
      );
      return rows[0]?.content;
    },
    close: async () => {
      await backend.close();
      await database.close();
    },
  };
}
