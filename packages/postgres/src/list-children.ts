import { type Listing, type ListQuery, prefixOf } from "@fs/protocol/author";
import {
  chunked,
  type EntryPage,
  fileLine,
  keyAfterPage,
  PAGE_ENTRIES,
  pagedEntries,
} from "./entry-pages.js";
import type { FilesTable } from "./files-table.js";
import { namePatterns } from "./name-patterns.js";
import { keysBelow, keysStartingWith } from "./path-key.js";

/** Rows of one look into the index at most, where all of them are files of the directory. */
const MAX_BATCH = 4096;

/**
 * The children of a directory whose names show in the keys. A directory's contents are passed over with one look into the
 * index, so that the cost is that of the children and not of what lies below them. While all that is found are files, each
 * look takes four times as many; after a directory, one again.
 */
export function listChildren(
  { database, names, namespace }: FilesTable,
  directory: string,
  query: ListQuery,
): Listing {
  const prefix = prefixOf(directory);
  const { glob } = query;
  const narrowed = glob !== undefined && glob.prefix.startsWith(prefix);
  const range = narrowed ? keysStartingWith(glob.prefix) : keysBelow(directory);
  const patterns = glob === undefined ? undefined : namePatterns(glob.source);
  const line = `case when is_directory then child || E'\\t' else ${fileLine("child")} end`;
  const wanted =
    "not is_directory and child like any (array(select json_array_elements_text($5::json)))";
  const text = `with recursive c as (
      select null::text collate "C" as child, $2::text collate "C" as after, false as is_directory,
        null::bigint as size, null::timestamptz as modified_at, null::bigint as version, 1 as batch
      union all
      select n.* from (select after, batch from c where batch is not null limit 1) l
        cross join lateral (${look(names.table)}) n
    )
    ${chunked(`select ${patterns === undefined ? line : `case when ${wanted} then ${line} end`} as line, after
      from c where child is not null limit ${PAGE_ENTRIES}`)}`;
  const fixed = patterns === undefined ? [] : [JSON.stringify(patterns)];
  const start = Array.from(prefix).length + 1;
  return pagedEntries(range.from, async (from): Promise<EntryPage> => {
    const values = [namespace, from, range.to, start, ...fixed];
    const rows = await database.read(text, values, query);
    return { rows, next: keyAfterPage(rows) };
  });
}

/**
 * The next files of the directory, or the next directory: `l.batch` rows from `l.after` on, up to the first that lies
 * deeper. Only the last one says how many to take next, and none does at the end. `$4` is where the names begin.
 */
function look(table: string): string {
  return `select
      case when slash = 0 then path else left(path, $4::integer - 2 + slash) end as child,
      case when slash = 0 then path || E'\\x01' else left(path, $4::integer - 2 + slash) || '0' end as after,
      slash > 0 as is_directory, size, modified_at, version,
      case when slash > 0 then 1 when n = l.batch then least(4 * l.batch, ${MAX_BATCH}) end as batch
    from (
      select r.*, row_number() over so_far as n, count(*) filter (where slash > 0) over so_far as deeper
      from (
        select s.*, strpos(substr(s.path, $4::integer), '/') as slash from (
          select f.path, f.size, f.modified_at, f.version from ${table} f
          where f.namespace = $1 and f.path >= l.after and f.path < $3 order by f.path limit l.batch
        ) s
      ) r window so_far as (order by path rows unbounded preceding)
    ) b
    where deeper = 0 or (deeper = 1 and slash > 0)
    order by path`;
}
