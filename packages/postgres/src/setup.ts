import { VolumeError } from "@fs/protocol/author";
import type { Database, Send } from "./database.js";
import { createGuards, createMigrations, createSchema, migrations } from "./migrations.js";
import { createNotifications, FIND_TRIGGER } from "./notifications.js";
import { missingRights } from "./setup-rights.js";
import type { TableNames } from "./table-names.js";

export interface SetupOptions {
  /** Creates the extension `pg_trgm` and an index of all text with it, which every later search uses. Default `false`. */
  trigram?: boolean;
  /** Creates the trigger that {@link PostgresBackend.watch} needs. Default `false`. */
  watch?: boolean;
}

/** What of the set-up a database has. */
export interface Present {
  readonly schema: boolean;
  /** The table that remembers the migrations. */
  readonly migrations: boolean;
  /** Migrations taken. */
  readonly taken: number;
  /** The functions that changes call. */
  readonly guards: boolean;
  readonly extension: boolean;
  readonly trigram: boolean;
  readonly trigger: boolean;
}

/**
 * Brings the schema up to date; any number of processes may do so at once, any number of times. What is there already
 * needs no right but to look. Throws a `VolumeError`.
 */
export async function setUp(
  database: Database,
  names: TableNames,
  options: SetupOptions,
): Promise<void> {
  const change = { paths: ["/"] };
  // An index of much text takes its time, so that the time-out of calls does not count here.
  await database.transaction(change, (send) => setUpWithin(send, names, options), Infinity);
}

async function setUpWithin(send: Send, names: TableNames, options: SetupOptions): Promise<void> {
  await refuseOtherEncodings(send);
  await refuseReadOnly(send);
  if (isComplete(await lookAround(send, names), names, options)) return;
  await send("select pg_advisory_xact_lock(hashtextextended($1, 0))", [names.lockName]);
  // Another process may have done it all while this one waited for the lock.
  const present = await lookAround(send, names);
  if (isComplete(present, names, options)) return;
  const missing = await missingRights(send, names, present, options);
  if (missing.length > 0)
    throw new VolumeError(
      "permission_denied",
      `The role of this connection lacks ${missing.join(", and ")}. Run setup() once as a role that has it.`,
    );
  if (!present.schema) await send(createSchema(names), []);
  if (!present.migrations) await send(createMigrations(names), []);
  await migrate(send, names, present.taken);
  if (!present.guards && present.taken > 0)
    for (const statement of createGuards(names)) await send(statement, []);
  if (options.trigram === true) await addTrigramIndex(send, names, present);
  if (options.watch === true) {
    for (const statement of createNotifications(names)) await send(statement, []);
  }
}

async function refuseOtherEncodings(send: Send): Promise<void> {
  const [row] = await send("select current_setting('server_encoding') as encoding", []);
  if (row?.["encoding"] === "UTF8") return;
  throw new VolumeError("unsupported", "The database must have the encoding UTF8.");
}

async function refuseReadOnly(send: Send): Promise<void> {
  const [row] = await send("select current_setting('transaction_read_only') as read_only", []);
  if (row?.["read_only"] !== "on") return;
  throw new VolumeError(
    "permission_denied",
    "This database accepts no writes: it is a replica, or read-only. Run setup() on the primary.",
  );
}

async function lookAround(send: Send, names: TableNames): Promise<Present> {
  const [schema] = await send(
    `select case when to_regnamespace($1) is null then 'absent'
      else has_schema_privilege(to_regnamespace($1), 'usage')::text end as usable`,
    [names.schema],
  );
  if (schema?.["usable"] === "false")
    throw new VolumeError(
      "permission_denied",
      `The role of this connection lacks USAGE on the schema ${names.schema}, and CREATE on it where tables are to be created.`,
    );
  const [row] = await send(
    `select (to_regnamespace($1) is not null)::text as schema, (to_regclass($2) is not null)::text as migrations,
      exists (select 1 from pg_extension where extname = 'pg_trgm')::text as extension,
      coalesce((select indisvalid from pg_index where indexrelid = to_regclass($3)), false)::text as trigram,
      (to_regproc($4) is not null and to_regproc($5) is not null)::text as guards,
      case when to_regclass($2) is null then null else has_table_privilege(to_regclass($2), 'select')::text end
        as readable`,
    [names.schema, names.migrations, names.trigramIndexPath, names.guardOne, names.guardMany],
  );
  if (row?.["readable"] === "false")
    throw new VolumeError(
      "permission_denied",
      `The role of this connection lacks SELECT on ${names.migrations}, which tells whether the tables are up to date.`,
    );
  const present = row?.["migrations"] === "true";
  return {
    schema: row?.["schema"] === "true",
    migrations: present,
    taken: present ? await migrationsTaken(send, names) : 0,
    guards: row?.["guards"] === "true",
    extension: row?.["extension"] === "true",
    trigram: row?.["trigram"] === "true",
    trigger: (await send(FIND_TRIGGER, [names.table, names.notify])).length > 0,
  };
}

async function migrationsTaken(send: Send, names: TableNames): Promise<number> {
  const [row] = await send(
    `select coalesce(max(version), 0)::text as version from ${names.migrations}`,
    [],
  );
  return Number(row?.["version"]);
}

function isComplete(present: Present, names: TableNames, options: SetupOptions): boolean {
  const steps = migrations(names).length;
  if (present.taken > steps)
    throw new VolumeError(
      "unsupported",
      "The tables of this filesystem were made by a newer version of @fs/postgres. Upgrade this one.",
    );
  return (
    present.taken === steps &&
    present.guards &&
    (options.trigram !== true || present.trigram) &&
    (options.watch !== true || present.trigger)
  );
}

async function migrate(send: Send, names: TableNames, taken: number): Promise<void> {
  for (const [index, statements] of migrations(names).entries()) {
    if (index < taken) continue;
    for (const statement of statements) await send(statement, []);
    await send(`insert into ${names.migrations} (version) values ($1)`, [index + 1]);
  }
}

async function addTrigramIndex(send: Send, names: TableNames, present: Present): Promise<void> {
  if (present.trigram) return;
  if (!present.extension) await send("create extension if not exists pg_trgm", []);
  await send(
    `create index if not exists ${names.trigramIndex} on ${names.table} using gin (content gin_trgm_ops)`,
    [],
  );
  // Without statistics the planner takes any directory for a handful of files, and reads them one by one.
  await send(`analyze ${names.table}`, []);
}
