import type { VolumeCall } from "@fs/protocol/author";
import type { Database } from "./database.js";
import type { FilesTable } from "./files-table.js";

/** Milliseconds for which an answer counts: another process may create or drop the index. */
const LIFETIME = 60_000;

const answers = new WeakMap<Database, { readonly exists: boolean; readonly until: number }>();

/** Returns whether the table has its trigram index, asking the server at most once a minute. */
export async function hasTrigramIndex(files: FilesTable, call: VolumeCall): Promise<boolean> {
  const { database, names } = files;
  const known = answers.get(database);
  if (known !== undefined && known.until > Date.now()) return known.exists;
  const [row] = await database.read(
    `select coalesce((select indisvalid from pg_index where indexrelid = to_regclass($1)), false)::text
      as valid`,
    [names.trigramIndexPath],
    call,
  );
  const exists = row?.["valid"] === "true";
  answers.set(database, { exists, until: Date.now() + LIFETIME });
  return exists;
}

/** After a setup the next search asks anew. */
export function forgetTrigramIndex(database: Database): void {
  answers.delete(database);
}
