import type { VolumeEntry } from "@fs/protocol/author";
import { isoTime } from "./file-row.js";

/** Entries per statement: a page of them is one text of a few megabytes. */
export const PAGE_ENTRIES = 50_000;

export interface EntryPage {
  readonly entries: readonly VolumeEntry[];
  /** Where the next page begins; `undefined` after the last one. */
  readonly next: string | undefined;
}

/**
 * Entries one by one, fetched page by page. Not a generator: a hundred thousand entries would wait a few promises each
 * for the delegation from one generator to another.
 */
export function pagedEntries(
  first: string,
  fetchPage: (from: string) => Promise<EntryPage>,
): AsyncIterable<VolumeEntry> {
  return {
    [Symbol.asyncIterator]() {
      let page: EntryPage = { entries: [], next: first };
      let at = 0;
      return {
        async next(): Promise<IteratorResult<VolumeEntry, undefined>> {
          while (at === page.entries.length && page.next !== undefined) {
            page = await fetchPage(page.next);
            at = 0;
          }
          const value = page.entries[at++];
          return value === undefined ? { done: true, value } : { done: false, value };
        },
      };
    },
  };
}

/** The entries of a page. One text instead of a row per file: no path holds a tab or a line end. */
export function entriesOf(text: string | null | undefined): VolumeEntry[] {
  return typeof text === "string" ? text.split("\n").map(entryOf) : [];
}

function entryOf(line: string): VolumeEntry {
  const [path = "", size = "", modified, version] = line.split("\t");
  if (size === "") return { path, kind: "directory" };
  return { path, kind: "file", size: Number(size), modifiedAt: isoTime(modified), version };
}
