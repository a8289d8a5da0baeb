import { VolumeError } from "@fs/protocol/author";
import type { Database, Row, Send } from "./database.js";
import { createMigrations, migrations } from "./migrations.js";
import { createNotifications } from "./notifications.js";
import type { TableNames } from "./table-names.js";

export interface SetupOptions {
  /** Creates the extension `pg_trgm` and an index of all text with it, which every later search uses. Default `false`. */
  trigram?: boolean;
  /** Creates the trigger that {@link PostgresBackend.watch} needs. Default `false`. */
  watch?: boolean;
}

/** Brings the schema up to date; any number may do so at once, any number of times. Throws a `VolumeError`. */
export async function setUp(
  database: Database,
  names: TableNames,
  options: SetupOptions,
): Promise<void> {
  await database.transaction({}, async (send) => {
    await send("select pg_advisory_xact_lock(hashtextextended($1, 0))", [names.lockName]);
    await refuseOtherEncodings(send);
    for (const statement of createMigrations(names)) await send(statement, []);
    await migrate(send, names);
    if (options.trigram === true) {
      await send("create extension if not exists pg_trgm", []);
      await send(
        `create index if not exists ${names.trigramIndex} on ${names.table}
          using gin (content gin_trgm_ops)`,
        [],
      );
      // Without statistics the planner takes any directory for a handful of files, and reads them one by one.
      await send(`analyze ${names.table}`, []);
    }
    if (options.watch === true) {
      for (const statement of createNotifications(names)) await send(statement, []);
    }
  });
}

async function refuseOtherEncodings(send: Send): Promise<void> {
  const [row] = await send("select current_setting('server_encoding') as encoding", []);
  if (row?.["encoding"] === "UTF8") return;
  throw new VolumeError("unsupported", "The database must have the encoding UTF8.");
}

async function migrate(send: Send, names: TableNames): Promise<void> {
  const steps = migrations(names);
  const [row] = await send(
    `select coalesce(max(version), 0)::text as version from ${names.migrations}`,
    [],
  );
  const taken = Number(versionOf(row));
  if (taken > steps.length) {
    throw new VolumeError(
      "unsupported",
      "The tables of this filesystem were made by a newer version of @fs/postgres. Upgrade this one.",
    );
  }
  for (const [index, statements] of steps.entries()) {
    if (index < taken) continue;
    for (const statement of statements) await send(statement, []);
    await send(`insert into ${names.migrations} (version) values ($1)`, [index + 1]);
  }
}

function versionOf(row: Row | undefined): string {
  return row?.["version"] ?? "0";
}
