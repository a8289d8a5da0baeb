import { type GrepQuery, type GrepStream, prefixOf, type VolumeHit } from "@fs/protocol/author";
import { searchLines, withoutCarriageReturn } from "@fs/protocol/hooks";
import type { FilesTable } from "./files-table.js";
import { cheaperSearch } from "./cheaper-search.js";
import { type LiteralSearch, literalSearch } from "./literal-search.js";
import { nameFilter } from "./name-index.js";
import {
  isLongPath,
  keyAfter,
  type KeyRange,
  keysBelow,
  keysStartingWith,
  pathKey,
} from "./path-key.js";

/** Up to this many matches the server stops early and hits come one by one; above it, grouped by file. */
const MAX_CAPPED = 20_000;
/** Hits over the cap that are asked for at once when a filter may drop some. */
const SPARE = 200;
/** Bytes of text per statement when this process has to look at the lines. */
const SCAN_BYTES = 8 * 1024 * 1024;
/** The same for the first statement of a capped search. */
const FIRST_SCAN_BYTES = 64 * 1024;

/**
 * Searches on the server: only matching lines travel. A regular expression, or a letter beyond ASCII whose case does not
 * count, is matched in this process, many files per statement.
 *
 * The order of the `"C"` collation is not that of UTF-16 for the rare names with characters from U+E000 on, so that the
 * stream never claims an order: it ends by itself when nothing that is still to come could be among the first hits.
 */
export async function grepLines(files: FilesTable, query: GrepQuery): Promise<GrepStream> {
  return { batches: batches(files, query), sorted: false };
}

async function* batches(files: FilesTable, query: GrepQuery): AsyncGenerator<readonly VolumeHit[]> {
  const { glob, root } = query;
  const narrowed = glob !== undefined && glob.prefix.startsWith(prefixOf(root));
  const below = narrowed ? keysStartingWith(glob.prefix) : keysBelow(root);
  let found = false;
  for await (const batch of searched(files, query, below)) {
    found ||= batch.length > 0;
    yield batch;
  }
  // A file has nothing below it, so that a directory with a hit is never asked for as a file too.
  if (found || root === "/" || !query.accepts(root)) return;
  const key = pathKey(root);
  yield* searched(
    files,
    { ...query, glob: undefined },
    { from: key, to: keyAfter(key), prefix: undefined },
  );
}

async function* searched(
  files: FilesTable,
  query: GrepQuery,
  range: KeyRange,
): AsyncGenerator<readonly VolumeHit[]> {
  const literal = await literalSearch(files, query.pattern, query);
  if (literal === undefined) yield* scanned(files, query, range);
  else if (query.limit <= MAX_CAPPED)
    yield* capped(
      files,
      query,
      range,
      await cheaperSearch(files, query, within(files, query, range), literal),
    );
  else yield* grouped(files, query, range, literal);
}

/**
 * The conditions on a file that every search shares; `$1` to `$4` are theirs, and more where there are names. `inFile` is
 * asked of the content only where the name fits: the planner would rather decompress every text first.
 */
function within(
  { names, namespace }: FilesTable,
  query: GrepQuery,
  { from, to, prefix }: KeyRange,
): {
  source: (inFile?: string, sample?: string) => string;
  values: unknown[];
} {
  const values: unknown[] = [namespace, from, to, prefix ?? null];
  const name = nameFilter(query.glob, "f.", (value) => `$${values.push(value)}`);
  const found = name.indexed === undefined ? "" : `and ${name.indexed}`;
  const counts = (inFile: string): string => {
    const text = `f.content is not null and ${inFile}`;
    return name.condition === undefined
      ? text
      : `case when ${name.condition} then ${text} else false end`;
  };
  return {
    source: (inFile = "true", sample = "") =>
      `${names.table} f ${sample} where f.namespace = $1 and f.path >= $2 and f.path < $3
      and ($4::text is null or starts_with(coalesce(f.long_path, f.path), $4)) ${found} and ${counts(inFile)}`,
    values,
  };
}

/** In the order of the keys, a page at a time, and no further than the limit. */
async function* capped(
  files: FilesTable,
  query: GrepQuery,
  range: KeyRange,
  literal: LiteralSearch,
): AsyncGenerator<readonly VolumeHit[]> {
  const { source, values } = within(files, query, range);
  const page = query.limit + (query.glob === undefined ? 0 : SPARE);
  const at = (index: number): string => `$${values.length + index}`;
  // What the trigram index finds comes in no order. Could the planner have it in that of the keys, it would now and then
  // take the word for common and read every text instead.
  const key = literal.plain === undefined ? "f.path" : "f.path || ''";
  const text = `select f.path as key, coalesce(f.long_path, f.path) as path, l.line::text as line,
      ${files.text("l.text")} as text
    from (select f.path, f.long_path, f.content from ${source(literal.inFile("f.content", at(1)))}) f
    cross join lateral unnest(string_to_array(f.content, E'\\n')) with ordinality as l(text, line)
    where ${literal.inLine("l.text", at(2))} and (f.path > $2 or l.line > ${at(3)}::bigint)
    order by ${key}, l.line limit ${at(4)}::integer`;
  let last = { key: range.from, line: "0" };
  let accepted = 0;
  let stoppable = true;
  for (;;) {
    const rows = await files.database.readPlanned(
      text,
      [
        values[0],
        last.key,
        ...values.slice(2),
        literal.fileValue,
        literal.lineValue,
        last.line,
        page,
      ],
      query,
    );
    const hits: VolumeHit[] = [];
    for (const { path, line, text: content } of rows) {
      if (path === null || path === undefined || !query.accepts(path)) continue;
      hits.push({ path, line: Number(line), text: withoutCarriageReturn(content ?? "") });
      stoppable &&= !mayPrecedeLater(path);
    }
    accepted += hits.length;
    yield hits;
    const end = rows.at(-1);
    if (end === undefined || rows.length < page || (stoppable && accepted >= query.limit)) return;
    last = { key: end["key"] ?? range.to, line: end["line"] ?? "0" };
  }
}

/** True when a path with a later key may come before this one: in UTF-16, or because the key is not the whole path. */
function mayPrecedeLater(path: string): boolean {
  return /[\uE000-\uFFFF]/.test(path) || isLongPath(path);
}

/** All matches, one row per file. */
async function* grouped(
  files: FilesTable,
  query: GrepQuery,
  range: KeyRange,
  literal: LiteralSearch,
): AsyncGenerator<readonly VolumeHit[]> {
  const { source, values } = within(files, query, range);
  const at = (index: number): string => `$${values.length + index}`;
  const rows = await files.database.readPlanned(
    `select coalesce(f.long_path, f.path) as path, m.lines, m.texts
      from (select f.path, f.long_path, f.content from ${source(literal.inFile("f.content", at(1)))}) f
      cross join lateral (
        select string_agg(l.line::text, ' ') as lines, ${files.text("string_agg(l.text, E'\\n')")} as texts
        from unnest(string_to_array(f.content, E'\\n')) with ordinality as l(text, line)
        where ${literal.inLine("l.text", at(2))}
      ) m`,
    [...values, literal.fileValue, literal.lineValue],
    query,
  );
  for (const { path, lines, texts } of rows) {
    if (typeof path !== "string" || typeof lines !== "string" || !query.accepts(path)) continue;
    const numbers = lines.split(" ");
    yield (texts ?? "").split("\n").map((text, index) => ({
      path,
      line: Number(numbers[index]),
      text: withoutCarriageReturn(text),
    }));
  }
}

/**
 * Texts come here, for what only this process can match: a few at first, and more each time, so that a capped search that
 * finds enough at once has fetched little.
 */
async function* scanned(
  files: FilesTable,
  query: GrepQuery,
  range: KeyRange,
): AsyncGenerator<readonly VolumeHit[]> {
  const { source, values } = within(files, query, range);
  const most = `$${values.length + 1}`;
  const text = `select path as key, coalesce(long_path, path) as path, ${files.text("content")} as content from (
      select f.path, f.long_path, f.content,
        sum(f.size) over (order by f.path rows unbounded preceding) - f.size as before
      from (select f.path, f.long_path, f.content, f.size from ${source()} order by f.path limit 1000) f
    ) f where before < ${most}::bigint order by path`;
  let { from } = range;
  let bytes = query.limit === Infinity ? SCAN_BYTES : FIRST_SCAN_BYTES;
  let found = 0;
  let stoppable = true;
  for (;;) {
    const rows = await files.database.readPlanned(
      text,
      [values[0], from, ...values.slice(2), bytes],
      query,
    );
    const hits: VolumeHit[] = [];
    for (const { path, content } of rows) {
      if (typeof path !== "string" || !query.accepts(path)) continue;
      const before = hits.length;
      for (const hit of searchLines(content ?? "", query.pattern, query.limit))
        hits.push({ path, ...hit });
      if (hits.length > before) stoppable &&= !mayPrecedeLater(path);
    }
    found += hits.length;
    yield hits;
    const end = rows.at(-1)?.["key"];
    if (typeof end !== "string" || (stoppable && found >= query.limit)) return;
    from = keyAfter(end);
    bytes = Math.min(4 * bytes, SCAN_BYTES);
  }
}
