import type { GrepQuery } from "@fs/protocol/author";
import type { FilesTable } from "./files-table.js";
import type { LiteralSearch } from "./literal-search.js";
import { quoteText } from "./table-names.js";

/** The files of a search, as the part of a statement that follows `from`, with the values of its parameters. */
export interface SearchedFiles {
  source(inFile?: string, sample?: string): string;
  readonly values: readonly unknown[];
}

/** What is read at most to distinguish a common word from a rare one; and how many times that may be read for a common one. */
const PROBE_FILES = 200;
const PROBE_BYTES = 1024 * 1024;
const PROBE_SHARE = 20;
/** Hits of them that say something, where they are not all that is asked for. */
const PROBE_HITS = 10;
/** Rows of the whole table that are looked at where the first files do not have the word. */
const SAMPLE_ROWS = 300;

/**
 * With the trigram index every file that matches is read before the first hit is known; in the order of the keys, few
 * are where a word is common. The first files show which it is, or else a sample of all.
 */
export async function cheaperSearch(
  { database, names }: FilesTable,
  query: GrepQuery,
  { source, values }: SearchedFiles,
  literal: LiteralSearch,
): Promise<LiteralSearch> {
  const { plain } = literal;
  if (plain === undefined) return literal;
  const needle = `$${values.length + 1}`;
  const limit = `$${values.length + 2}::bigint`;
  const inFile = plain.inFile("f.content", needle);
  const rows = `(select reltuples from pg_class where oid = ${quoteText(names.table)}::regclass)`;
  const common = `hits >= least(${PROBE_HITS}, ${limit}) and hits * ${PROBE_SHARE} >= ${limit}`;
  // Of a table that was never analyzed the size is not known: no sample then.
  const share = `(case when ${rows} > 0 then least(1, ${SAMPLE_ROWS} / ${rows}) else 0 end)`;
  const [row] = await database.readPlanned(
    `with probed as materialized (
        select count(*) as hits from (
          select f.content, sum(f.size) over (order by f.path rows unbounded preceding) as total
          from (select f.path, f.content, f.size from ${source()} order by f.path limit ${PROBE_FILES}) f
        ) f cross join lateral unnest(string_to_array(f.content, E'\\n')) as l(text)
        where total <= ${PROBE_BYTES} and ${inFile} and ${plain.inLine("l.text", needle)}
      )
      select (${common})::text as common,
        case when not (${common}) then (
          select concat_ws(' ', count(*) filter (where ${inFile}), count(*), ${share})
          from ${source("true", `tablesample system (100 * ${share})`)}
        ) end as sample
      from probed`,
    [...values, plain.fileValue, query.limit],
    query,
  );
  if (row?.["common"] === "true") return plain;
  const [hits = 0, sampled = 0, part = 0] = (row?.["sample"] ?? "").split(" ").map(Number);
  // By the index all files that match are read; in order, as many as it takes until enough of them match.
  return hits > 0 && hits * hits >= sampled * query.limit * part ? plain : literal;
}
