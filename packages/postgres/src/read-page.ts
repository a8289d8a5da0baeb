import { encodeText, type VolumeCall, type VolumePage } from "@fs/protocol/author";
import { LinePager } from "@fs/protocol/hooks";
import type { Row } from "./database.js";
import type { FilesTable } from "./files-table.js";
import { pathKey } from "./path-key.js";

/** Up to this many bytes a file travels whole: that is as fast as any part of it. */
const WHOLE = 128 * 1024;
/** Characters from the start of a larger file that are tried first. */
const HEAD = 64 * 1024;

/** Lines `offset` to `offset + limit` of a text; `undefined` where there is no text. A large file stays on the server. */
export async function readPage(
  files: FilesTable,
  path: string,
  page: { readonly offset: number; readonly limit: number } & VolumeCall,
): Promise<VolumePage | undefined> {
  const { offset } = page;
  const limit = Math.min(page.limit, Number.MAX_SAFE_INTEGER - offset);
  const key = [files.namespace, pathKey(path)];
  const values = [...key, offset, limit];
  const [row] =
    offset === 0 && limit > 0
      ? await files.database.read(selectPart(files, FROM_START), key, page)
      : await files.database.read(selectPart(files, FIRST_TRY), values, page);
  if (row === undefined) return undefined;
  const text = row["text"] ?? "";
  const lines = linesIn(row, offset, limit);
  if (row["part"] === "cut") return pageOf(row, closed(row, text, offset, lines), offset, lines);
  const start = row["part"] === "head" ? 0 : offset;
  const pager = new LinePager({ offset: start, limit: lines });
  pager.feed(encodeText(text));
  if (row["part"] === "whole") pager.end();
  if (pager.filled) return pageOf(row, pager.result().bytes, offset, lines);
  // The page's lines are longer than the head. The file may have changed since, so all is read again.
  const [again] = await files.database.read(selectPart(files, CUT), values, page);
  if (again === undefined) return undefined;
  const found = linesIn(again, offset, limit);
  return pageOf(again, closed(again, again["text"] ?? "", offset, found), offset, found);
}

const CUT_TEXT = `array_to_string((string_to_array(content, E'\\n'))[
    least($3::bigint, lines)::integer + 1 :
    (case when $3::bigint + $4::bigint < lines then $3::bigint + $4::bigint else lines + 1 end)::integer
  ], E'\\n')`;
const CUT = `'cut' as part, ${CUT_TEXT} as text`;
// What most calls ask for, without the expressions of the other pages: preparing them takes a tenth of the statement's time,
// also where they are not reached.
const FROM_START = `case when size <= ${WHOLE} then 'whole' else 'head' end as part,
  case when size <= ${WHOLE} then content else left(content, ${HEAD}) end as text`;
const FIRST_TRY = `case when size <= ${WHOLE} then 'whole'
    when $4::bigint = 0 or $3::bigint >= lines or $3::bigint = 0 then 'head'
    else 'cut' end as part,
  case when size <= ${WHOLE} then content
    when $4::bigint = 0 or $3::bigint >= lines then ''
    when $3::bigint = 0 then left(content, ${HEAD})
    else ${CUT_TEXT} end as text`;

function selectPart({ names, text }: FilesTable, columns: string): string {
  return `select version, lines, part, ${text("text")} as text from (
      select version::text as version, lines::text as lines, ${columns}
      from ${names.table} where namespace = $1 and path = $2 and content is not null
    ) page`;
}

/** How many lines the page has. */
function linesIn(row: Row, offset: number, limit: number): number {
  return Math.max(0, Math.min(limit, Number(row["lines"]) - offset));
}

function pageOf(row: Row, bytes: Uint8Array, offset: number, lines: number): VolumePage {
  const totalLines = Number(row["lines"]);
  return {
    bytes,
    lines,
    totalLines,
    atEnd: offset + lines >= totalLines,
    version: row["version"] ?? undefined,
  };
}

/** Lines that come joined lack the end of the last one, but at the end of the file. */
function closed(row: Row, text: string, offset: number, lines: number): Uint8Array {
  return encodeText(lines > 0 && offset + lines < Number(row["lines"]) ? `${text}\n` : text);
}
