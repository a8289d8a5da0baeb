import { type Listing, listingOf, type VolumeEntry } from "@fs/protocol/author";
import type { Row } from "./database.js";
import { isoTime, millisecondsOf } from "./file-row.js";

/** Entries per statement: some twenty megabytes. Every statement more may read all rows once more. */
export const PAGE_ENTRIES = 200_000;
/** Entries per row of an answer: one text instead of a row per file, and short enough to be taken apart in a few milliseconds. */
const CHUNK_ENTRIES = 10_000;

export interface EntryPage {
  /** What {@link chunked} selected. */
  readonly rows: readonly Row[];
  /** Where the next page begins; `undefined` after the last one. */
  readonly next: string | undefined;
}

/** The line of a file; that of a directory is its path and a tab. No path holds a tab or a line end. */
export function fileLine(path: string): string {
  return `${path} || E'\\t' || size::text || E'\\t' || ${millisecondsOf("modified_at")} || E'\\t' || version::text`;
}

/**
 * Many entries per row, in the order of the page.
 *
 * @param page A statement with a `line` for each entry, null for what is left out, and the key `after` it.
 */
export function chunked(page: string): string {
  return `select string_agg(line, E'\\n') as entries, max(after collate "C") as after, count(*)::text as count
    from (
      select line, after, (row_number() over () - 1) / ${CHUNK_ENTRIES} as chunk from (${page}) page
    ) numbered group by chunk order by chunk`;
}

/** The key after the last entry of a page, if another page may follow. */
export function keyAfterPage(rows: readonly Row[]): string | undefined {
  let count = 0;
  for (const row of rows) count += Number(row["count"]);
  return count >= PAGE_ENTRIES ? (rows.at(-1)?.["after"] ?? undefined) : undefined;
}

/** Entries as {@link chunked} selects them, fetched page by page; taken apart a row at a time. */
export function pagedEntries(
  first: string,
  fetchPage: (from: string) => Promise<EntryPage>,
): Listing {
  return listingOf(async function* () {
    for (let from: string | undefined = first; from !== undefined;) {
      const { rows, next }: EntryPage = await fetchPage(from);
      for (const { entries } of rows) yield entriesOf(entries);
      from = next;
    }
  });
}

function entriesOf(text: string | null | undefined): VolumeEntry[] {
  return typeof text === "string" ? text.split("\n").map(entryOf) : [];
}

function entryOf(line: string): VolumeEntry {
  const [path = "", size = "", modified, version] = line.split("\t");
  if (size === "") return { path, kind: "directory" };
  return { path, kind: "file", size: Number(size), modifiedAt: isoTime(modified), version };
}
