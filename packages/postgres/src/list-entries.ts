import { childEntries, type ListQuery, prefixOf, type VolumeEntry } from "@fs/protocol/author";
import { entriesOf, type EntryPage, PAGE_ENTRIES, pagedEntries } from "./entry-pages.js";
import { millisecondsOf } from "./file-row.js";
import type { FilesTable } from "./files-table.js";
import { namePatterns } from "./name-patterns.js";
import {
  childrenShowInKeys,
  keyAfter,
  keysBelow,
  keysStartingWith,
  type KeyRange,
} from "./path-key.js";

/** The children of a directory, or every file below it. No row's content is touched. */
export function listEntries(
  files: FilesTable,
  directory: string,
  query: ListQuery,
): AsyncIterable<VolumeEntry> {
  if (query.deep) return filesBelow(files, directory, query);
  if (childrenShowInKeys(directory)) return children(files, directory, query);
  return childrenOfLongPath(files, directory, query);
}

/**
 * Jumps from child to child: a directory's contents are passed over with one look into the index, so that the cost is
 * that of the children and not of what lies below them.
 */
function children(
  { database, names, namespace }: FilesTable,
  directory: string,
  call: ListQuery,
): AsyncIterable<VolumeEntry> {
  const prefix = prefixOf(directory);
  const range = keysBelow(directory);
  const start = Array.from(prefix).length + 1;
  const first = `select f.path, f.size, f.modified_at, f.version from ${names.table} f
    where f.namespace = $1 and f.path >= $2 and f.path < $3 order by f.path limit 1`;
  const next = first.replace("$2", "c.after");
  const text = `with recursive c as (
      ${childIn(first)}
      union all
      select n.* from c cross join lateral (${childIn(next)}) n
    )
    select string_agg(
        child || E'\\t' || case when is_directory then ''
          else size::text || E'\\t' || ${millisecondsOf("modified_at")} || E'\\t' || version::text end, E'\\n') as entries,
      max(after collate "C") as after, count(*)::text as count
    from (select * from c limit ${PAGE_ENTRIES}) page`;
  return pagedEntries(range.from, async (from): Promise<EntryPage> => {
    const [row] = await database.read(text, [namespace, from, range.to, start], call);
    const more = Number(row?.["count"]) >= PAGE_ENTRIES;
    return {
      entries: entriesOf(row?.["entries"]),
      next: more ? (row?.["after"] ?? undefined) : undefined,
    };
  });
}

/** The child that a file shows, and the least key that no longer lies in that child. `$4` is where its name begins. */
function childIn(file: string): string {
  return `select
      case when s.slash = 0 then s.path else left(s.path, $4::integer - 2 + s.slash) end as child,
      case when s.slash = 0 then s.path || E'\\x01'
        else left(s.path, $4::integer - 2 + s.slash) || '0' end as after,
      s.slash > 0 as is_directory, s.size, s.modified_at, s.version
    from (select r.*, strpos(substr(r.path, $4::integer), '/') as slash from (${file}) r) s`;
}

async function* childrenOfLongPath(
  files: FilesTable,
  directory: string,
  { signal }: ListQuery,
): AsyncGenerator<VolumeEntry> {
  const below: VolumeEntry[] = [];
  for await (const entry of filesBelow(files, directory, { deep: true, signal })) below.push(entry);
  yield* childEntries(directory, below);
}

function filesBelow(
  files: FilesTable,
  directory: string,
  query: ListQuery,
): AsyncIterable<VolumeEntry> {
  const { glob } = query;
  const narrowed = glob !== undefined && glob.prefix.startsWith(prefixOf(directory));
  const range = narrowed ? keysStartingWith(glob.prefix) : keysBelow(directory);
  const patterns = glob === undefined ? undefined : namePatterns(glob.source);
  return filesInRange(files, range, patterns, query);
}

function filesInRange(
  { database, names, namespace }: FilesTable,
  range: KeyRange,
  patterns: readonly string[] | undefined,
  call: ListQuery,
): AsyncIterable<VolumeEntry> {
  const named =
    patterns === undefined
      ? ""
      : "and coalesce(long_path, path) like any (array(select json_array_elements_text($5::json)))";
  const text = `select string_agg(
      coalesce(long_path, path) || E'\\t' || size::text || E'\\t' || ${millisecondsOf("modified_at")}
        || E'\\t' || version::text,
      E'\\n') as entries, max(path) as last, count(*)::text as count
    from (
      select path, long_path, size, modified_at, version from ${names.table}
      where namespace = $1 and path >= $2 and path < $3
        and ($4::text is null or starts_with(coalesce(long_path, path), $4)) ${named}
      order by path limit ${PAGE_ENTRIES}
    ) page`;
  const fixed = patterns === undefined ? [] : [JSON.stringify(patterns)];
  return pagedEntries(range.from, async (from): Promise<EntryPage> => {
    const values = [namespace, from, range.to, range.prefix ?? null, ...fixed];
    const [row] = await database.read(text, values, call);
    const more = Number(row?.["count"]) >= PAGE_ENTRIES;
    return {
      entries: entriesOf(row?.["entries"]),
      next: more ? keyAfter(row?.["last"] ?? range.to) : undefined,
    };
  });
}
