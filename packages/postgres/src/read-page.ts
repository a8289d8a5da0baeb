import { encodeText, type VolumeCall, type VolumePage } from "@fs/protocol/volume";
import type { Row } from "./database.js";
import type { FilesTable } from "./files-table.js";
import { pathKey } from "./path-key.js";

/** Up to this many bytes a file travels whole: that is as fast as any part of it. */
const WHOLE = 128 * 1024;
/** Characters from the start of a larger file that are tried first. */
const HEAD = 64 * 1024;

/** Lines `offset` to `offset + limit` of a text; `undefined` where there is no text. A large file stays on the server. */
export async function readPage(
  { database, names, namespace }: FilesTable,
  path: string,
  page: { readonly offset: number; readonly limit: number } & VolumeCall,
): Promise<VolumePage | undefined> {
  const { offset, limit } = page;
  const values = [
    namespace,
    pathKey(path),
    offset,
    Math.min(limit, Number.MAX_SAFE_INTEGER - offset),
  ];
  const cut = `array_to_string((string_to_array(content, E'\\n'))[
      least($3::bigint, lines)::integer + 1 :
      (case when $3::bigint + $4::bigint < lines then $3::bigint + $4::bigint else lines + 1 end)::integer
    ], E'\\n')`;
  const select = (
    part: string,
  ): string => `select version::text as version, lines::text as lines, ${part}
    from ${names.table} where namespace = $1 and path = $2 and content is not null`;
  const [row] = await database.run(
    select(`case when size <= ${WHOLE} then 'whole' when $3::bigint = 0 then 'head' else 'cut' end as part,
      case when size <= ${WHOLE} then content
        when $4::bigint = 0 or $3::bigint >= lines then ''
        when $3::bigint = 0 then left(content, ${HEAD})
        else ${cut} end as text`),
    values,
    page,
  );
  if (row === undefined) return undefined;
  const wanted = Math.max(0, Math.min(limit, Number(row["lines"]) - offset));
  if (row["part"] === "cut") return pageOf(row, cutOf(row, offset, wanted), offset, wanted);
  const text = row["text"] ?? "";
  const start =
    row["part"] === "whole" ? afterLines(text, 0, Math.min(offset, Number(row["lines"]))) : 0;
  const end = start === undefined ? undefined : afterLines(text, start, wanted);
  if (start !== undefined && end !== undefined)
    return pageOf(row, text.slice(start, end), offset, wanted);
  if (row["part"] === "whole") return pageOf(row, text.slice(start ?? text.length), offset, wanted);
  // The page's lines are longer than the head. The file may have changed since, so all is read again.
  const [again] = await database.run(select(`${cut} as text`), values, page);
  if (again === undefined) return undefined;
  const lines = Math.max(0, Math.min(limit, Number(again["lines"]) - offset));
  return pageOf(again, cutOf(again, offset, lines), offset, lines);
}

function pageOf(row: Row, text: string, offset: number, lines: number): VolumePage {
  const totalLines = Number(row["lines"]);
  return {
    bytes: encodeText(text),
    lines,
    totalLines,
    atEnd: offset + lines >= totalLines,
    version: row["version"] ?? undefined,
  };
}

/** The lines come joined; the end of the last one is missing unless the file ends there. */
function cutOf(row: Row, offset: number, lines: number): string {
  const text = row["text"] ?? "";
  return lines > 0 && offset + lines < Number(row["lines"]) ? `${text}\n` : text;
}

/** Where `lines` further lines end, or `undefined` when the text ends before. */
function afterLines(text: string, from: number, lines: number): number | undefined {
  let at = from;
  for (let n = 0; n < lines; n++) {
    const newline = text.indexOf("\n", at);
    if (newline === -1) return undefined;
    at = newline + 1;
  }
  return at;
}
