import {
  childEntries,
  type Listing,
  listingOf,
  type ListQuery,
  prefixOf,
  type VolumeEntry,
} from "@fs/protocol/author";
import {
  chunked,
  type EntryPage,
  fileLine,
  keyAfterPage,
  PAGE_ENTRIES,
  pagedEntries,
} from "./entry-pages.js";
import type { FilesTable } from "./files-table.js";
import { listChildren } from "./list-children.js";
import { nameFilter } from "./name-index.js";
import { childrenShowInKeys, keyAfter, keysBelow, keysStartingWith } from "./path-key.js";

/** The children of a directory, or every file below it. No row's content is touched. */
export function listEntries(files: FilesTable, directory: string, query: ListQuery): Listing {
  if (query.deep) return filesBelow(files, directory, query);
  if (childrenShowInKeys(directory)) return listChildren(files, directory, query);
  return childrenOfLongPath(files, directory, query);
}

function childrenOfLongPath(files: FilesTable, directory: string, { signal }: ListQuery): Listing {
  return listingOf(async function* () {
    const below: VolumeEntry[] = [];
    for await (const entry of filesBelow(files, directory, { deep: true, signal }))
      below.push(entry);
    yield childEntries(directory, below);
  });
}

/**
 * Planned for its values each time: whether to go through the keys in order, through the index of names or through the
 * whole table depends on how much of it the range and the names are.
 */
function filesBelow(
  { database, names, namespace }: FilesTable,
  directory: string,
  query: ListQuery,
): Listing {
  const { glob } = query;
  const narrowed = glob !== undefined && glob.prefix.startsWith(prefixOf(directory));
  const range = narrowed ? keysStartingWith(glob.prefix) : keysBelow(directory);
  const fixed: unknown[] = [range.to];
  const bind = (value: unknown): string => `$${fixed.push(value) + 2}`;
  const conditions = ["namespace = $1 and path >= $2 and path < $3"];
  if (range.prefix !== undefined)
    conditions.push(`starts_with(coalesce(long_path, path), ${bind(range.prefix)})`);
  const { condition } = nameFilter(glob, "", bind);
  if (condition !== undefined) conditions.push(condition);
  const text =
    chunked(`select ${fileLine("coalesce(long_path, path)")} as line, path as after from (
      select path, long_path, size, modified_at, version from ${names.table}
      where ${conditions.join(" and ")} order by path limit ${PAGE_ENTRIES}
    ) below`);
  return pagedEntries(range.from, async (from): Promise<EntryPage> => {
    const rows = await database.readPlanned(text, [namespace, from, ...fixed], query);
    const last = keyAfterPage(rows);
    return { rows, next: last === undefined ? undefined : keyAfter(last) };
  });
}
