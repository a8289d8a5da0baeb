// A base and its journal, each trial its own. Plain JavaScript: killed processes run it as it is.
import { fileJournal, withJournal } from "@fs/journal";

/**
 * What opens the places of trials. Only the backend that is asked for is loaded, since a campaign starts many processes.
 *
 * @param {{ kind: "disk" | "postgres", url?: string, application?: string }} storage
 */
export async function journalledIn(storage) {
  return storage.kind === "disk" ? onDisk() : inPostgres(storage);
}

async function onDisk() {
  const { FilesystemBackend } = await import("@fs/disk");
  const layer = (root, name) => new FilesystemBackend({ rootDir: `${root}/${name}` });
  return {
    open: (root, around = (backend) => backend) => {
      const store = fileJournal(around(layer(root, "journal"), "journal"));
      return journalled(layer(root, "base"), store, around);
    },
    allStatementsEnded: async () => {},
    close: async () => {},
  };
}

async function inPostgres({ url, application }) {
  const [{ PostgresBackend }, { postgresJournal }, { default: pg }] = await Promise.all([
    import("@fs/postgres"),
    import("@fs/journal/postgres"),
    import("pg"),
  ]);
  const pool = new pg.Pool({ connectionString: url, application_name: application });
  pool.on("error", () => undefined);
  const running = "select count(*)::int as n from pg_stat_activity where application_name = $1";
  return {
    open: (root, around = (backend) => backend) => {
      const store = postgresJournal({ client: around(pool, "statements"), namespace: root });
      return journalled(
        new PostgresBackend({ client: pool, namespace: `${root}/base` }),
        store,
        around,
      );
    },
    /** A server finishes the statement of a client that was killed; what it does is looked at afterwards. */
    allStatementsEnded: async (killed) => {
      while ((await pool.query(running, [killed])).rows[0].n > 0);
    },
    close: () => pool.end(),
  };
}

/** The base as it is, the base with its journal, and the journal's store. */
function journalled(base, store, around) {
  return { base, store, files: withJournal(around(base, "base"), { store }) };
}
