import { createHash } from "node:crypto";

/** The names of everything that `setup` creates, quoted for SQL, and the table's for messages. */
export interface TableNames {
  readonly schema: string;
  readonly table: string;
  readonly migrations: string;
  readonly guardOne: string;
  readonly guardMany: string;
  readonly notify: string;
  readonly trigger: string;
  /** Without their schema, as `create index` wants it. */
  readonly nameIndex: string;
  readonly trigramIndex: string;
  /** Quoted, with its schema. */
  readonly trigramIndexPath: string;
  /** The `LISTEN` channel, unquoted. */
  readonly channel: string;
  /** Says whose lock a migration takes. */
  readonly lockName: string;
}

/** PostgreSQL cuts a longer name off, and two tables could meet. The longest suffix below has 13 bytes. */
const MAX_NAME_BYTES = 63;
const MAX_TABLE_BYTES = MAX_NAME_BYTES - 13;

/** Throws a TypeError for a name that PostgreSQL cannot keep whole. */
export function tableNames(schema: string, table: string): TableNames {
  checkName("schema", schema, MAX_NAME_BYTES);
  checkName("table", table, MAX_TABLE_BYTES);
  const within = (name: string): string => `${quoteName(schema)}.${quoteName(name)}`;
  const lockName = JSON.stringify(["@fs/postgres", schema, table]);
  return {
    schema: quoteName(schema),
    table: within(table),
    migrations: within(`${table}_migrations`),
    guardOne: within(`${table}_guard_one`),
    guardMany: within(`${table}_guard_many`),
    notify: within(`${table}_notify`),
    trigger: quoteName(`${table}_notify`),
    nameIndex: quoteName(`${table}_names`),
    trigramIndex: quoteName(`${table}_trigram`),
    trigramIndexPath: within(`${table}_trigram`),
    channel: `fs_${createHash("sha256").update(lockName).digest("hex").slice(0, 32)}`,
    lockName,
  };
}

function checkName(what: string, name: string, maxBytes: number): void {
  const bytes = Buffer.byteLength(name);
  if (bytes > 0 && bytes <= maxBytes && name.isWellFormed() && !name.includes("\0")) return;
  throw new TypeError(`'${what}' must be a name of 1 to ${maxBytes} bytes.`);
}

/** A name as SQL writes it, whatever is in it. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text constant as SQL writes it, whatever is in it. */
export function quoteText(text: string): string {
  const quoted = text.replaceAll("'", "''");
  return quoted.includes("\\") ? `E'${quoted.replaceAll("\\", "\\\\")}'` : `'${quoted}'`;
}
