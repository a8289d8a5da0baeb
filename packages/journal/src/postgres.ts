/**
 * A journal in PostgreSQL, in tables of its own.
 *
 * @module
 */
import { type BlobStore, hashOf } from "@fs/changes";
import { VolumeError } from "@fs/protocol/author";
import type { JournalStore } from "./journal-store.js";
import { entryOf, timeOfId } from "./record.js";

/** The part of `pg`'s `Pool` that is used, so that any compatible pool fits. */
export interface JournalPool {
  query(query: {
    text: string;
    values?: unknown[];
  }): Promise<{ readonly rows: readonly unknown[] }>;
}

export interface PostgresJournalOptions {
  /** A pool of `pg`; it stays yours to end. */
  readonly client: JournalPool;
  /** Whose journal: any text. Journals of one database with different namespaces see nothing of each other. Default `""`. */
  readonly namespace?: string;
  /** Default `"public"`. */
  readonly schema?: string;
}

/** A journal in PostgreSQL. */
export interface PostgresJournal extends JournalStore {
  /** Creates the two tables where they are missing. Idempotent, also at the same time; needs the right to create. */
  setup(): Promise<void>;
}

/** A journal in PostgreSQL: a change is recorded in one statement before it and one after. Throws a `TypeError` for wrong options. */
export function postgresJournal({
  client,
  namespace = "",
  schema = "public",
}: PostgresJournalOptions): PostgresJournal {
  if (typeof client?.query !== "function") throw new TypeError("'client' must be a pool of 'pg'.");
  if (typeof namespace !== "string") throw new TypeError("'namespace' must be a string.");
  if (typeof schema !== "string" || schema === "")
    throw new TypeError("'schema' must be a name that is not empty.");
  const table = (name: string): string => `"${schema.replaceAll('"', '""')}"."${name}"`;
  const [entries, contents] = [table("fs_journal"), table("fs_journal_contents")];
  const query = async (text: string, ...values: unknown[]): Promise<readonly unknown[]> => {
    try {
      return (await client.query({ text, values })).rows;
    } catch (cause) {
      const missing = cause instanceof Error && "code" in cause && cause.code === "42P01";
      const detail = missing ? "The journal has no tables yet: call its 'setup()'." : undefined;
      throw new VolumeError("unavailable", detail, { cause });
    }
  };
  // What is there already counts as stored now, so that it is not removed as old at the same moment.
  const keeping = `insert into ${contents} (namespace, hash, content)
    select $1, unnest($2::text[]), unnest($3::bytea[])
    on conflict (namespace, hash) do update set stored_at = clock_timestamp()`;
  const blobs: BlobStore = {
    put: async (kept) => {
      if (kept.length > 0) await query(keeping, namespace, ...columnsOf(kept));
      return kept.map(hashOf);
    },
    get: async (hash) => {
      const text = `select content from ${contents} where namespace = $1 and hash = $2`;
      const [row] = await query(text, namespace, hash);
      if (!isRow(row) || !(row["content"] instanceof Uint8Array)) return undefined;
      if (hashOf(row["content"]) !== hash)
        throw new VolumeError("unavailable", "A stored content does not fit its hash.");
      return new Uint8Array(row["content"]);
    },
    has: async (hashes) => {
      const text = `select hash from ${contents} where namespace = $1 and hash = any($2)`;
      const rows = await query(text, namespace, [...hashes]);
      return new Set(rows.filter(isRow).map(({ hash }) => String(hash)));
    },
    list: async () => {
      const text = `select hash, octet_length(content) as size,
        to_char(stored_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as stored_at
        from ${contents} where namespace = $1`;
      const rows = await query(text, namespace);
      return rows.filter(isRow).map(({ hash, size, stored_at }) => ({
        hash: String(hash),
        size: Number(size),
        storedAt: String(stored_at),
      }));
    },
    remove: async (hash) => {
      const text = `delete from ${contents} where namespace = $1 and hash = $2 returning hash`;
      return (await query(text, namespace, hash)).length > 0;
    },
  };
  return {
    blobs,
    removeUnchanged: async (hash, storedAt) => {
      const text = `delete from ${contents} where namespace = $1 and hash = $2 and stored_at = $3 returning hash`;
      return (await query(text, namespace, hash, storedAt)).length > 0;
    },
    setup: async () => {
      // Entries are `json`: `jsonb`, which an older version had, refuses texts with a NUL or half of a surrogate pair.
      // In one transaction under a lock: two that create a table at the same time fail, also with `if not exists`.
      const body = `begin
        perform pg_advisory_xact_lock(hashtextextended('fs_journal', 0));
        create table if not exists ${entries} (
          namespace text not null, id text not null, phase text not null, entry json not null,
          primary key (namespace, id, phase));
        create table if not exists ${contents} (
          namespace text not null, hash text not null, content bytea not null,
          stored_at timestamptz not null default now(), primary key (namespace, hash));
        if (select atttypid from pg_attribute where attrelid = '${entries.replaceAll("'", "''")}'::regclass
            and attname = 'entry') = 'jsonb'::regtype then
          alter table ${entries} alter column entry type json using entry::json;
        end if;
      end`;
      await query(`do '${body.replaceAll("'", "''")}'`);
    },
    append: async (added, kept) => {
      // One statement, so that an entry is never there without its contents.
      const text = `with kept as (${keeping})
        insert into ${entries} (namespace, id, phase, entry)
          select $1, unnest($4::text[]), unnest($5::text[]), unnest($6::json[]) on conflict do nothing`;
      const columns = [
        added.map(({ id }) => id),
        added.map(({ phase }) => phase),
        added.map((entry) => JSON.stringify(entry)),
      ];
      await query(text, namespace, ...columnsOf(kept), ...columns);
    },
    read: async ({ since }) => {
      const text = `select entry from ${entries} where namespace = $1 order by id, phase`;
      const rows = await query(text, namespace);
      const read = rows.filter(isRow).map(({ entry }) => entryOf(entry));
      return since === undefined ? read : read.filter(({ id }) => timeOfId(id) >= since);
    },
    remove: async (ids) => {
      await query(`delete from ${entries} where namespace = $1 and id = any($2)`, namespace, [
        ...ids,
      ]);
    },
  };
}

/** Hashes and contents, each once; sorted, so that statements that meet in some of them never wait for each other. */
function columnsOf(contents: readonly Uint8Array[]): [string[], Buffer[]] {
  const byHash = new Map(contents.map((bytes) => [hashOf(bytes), Buffer.from(bytes)]));
  const sorted = [...byHash].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [sorted.map(([hash]) => hash), sorted.map(([, bytes]) => bytes)];
}

function isRow(row: unknown): row is Record<string, unknown> {
  return typeof row === "object" && row !== null;
}
