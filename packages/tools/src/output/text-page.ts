import type { ReadResult } from "@fs/protocol";
import { present, textPart } from "../answer.js";
import type { ToolAnswer } from "../definition.js";
import type { ToolSettings } from "../settings.js";
import { numberLines } from "./number-lines.js";
import { withVersion } from "./with-version.js";

/** Lines of a page unless the call says otherwise. */
export const DEFAULT_LINES = 100;

/** What was asked of a text file. */
export interface PageRequest {
  readonly offset: number;
  readonly limit: number;
  readonly column: number;
}

/** The answer to a read of text: numbered rows, and where the file goes on. */
export function textPage(
  path: string,
  result: ReadResult & { readonly content: string },
  { offset, limit, column }: PageRequest,
  settings: ToolSettings,
): ToolAnswer {
  const { content, totalLines, mimeType } = result;
  const version = result.version;
  if (content === "") {
    const note =
      offset === 0 && limit > 0 ? `${path} is empty.` : `No lines of ${path} were asked for.`;
    return {
      content: textPart(withVersion(`[${note}]`, version, settings)),
      structured: {
        path,
        totalLines: totalLines ?? 0,
        ...present({ mimeType, version }),
        ...(settings.structuredText ? { content } : {}),
      },
    };
  }
  const first = result.startLine ?? offset + 1;
  const page = numberLines(content, first, {
    tokens: settings.answerTokens,
    count: settings.countTokens,
    column,
  });
  const last = first + page.lines - 1;
  const end = result.endLine ?? first + page.of - 1;
  // The page may be cut before its own end.
  const more = last < end ? last : result.nextOffset;
  const unknown = totalLines === undefined && result.endLine === undefined;
  const notes = [
    ...(page.nextColumn === undefined
      ? []
      : [
          `line ${last} is cut: ${page.cutCharacters} more characters; search it with grep, or read on at offset ${last - 1}, column ${page.nextColumn}`,
        ]),
    ...(more === undefined ? [] : [rangeNote(first, last, totalLines, more)]),
    ...(more === undefined && unknown && page.of >= limit
      ? [`lines ${first}–${last}; there may be more at offset ${last}`]
      : []),
  ];
  const footer = notes.length === 0 ? "" : `\n[${notes.join("; ")}]`;
  return {
    content: textPart(withVersion(`${page.text}${footer}`, version, settings)),
    structured: {
      path,
      startLine: first,
      endLine: last,
      ...present({
        mimeType,
        totalLines,
        nextOffset: more,
        nextColumn: page.nextColumn,
        version,
      }),
      ...(settings.structuredText ? { content: shownPart(content, page, column) } : {}),
    },
  };
}

function rangeNote(first: number, last: number, total: number | undefined, next: number): string {
  const of = total === undefined ? "" : ` of ${total}`;
  return `lines ${first}–${last}${of}, continue at offset ${next}`;
}

/** The exact text of the lines that the rows show. */
function shownPart(
  content: string,
  page: { readonly lines: number; readonly nextColumn?: number },
  column: number,
): string {
  if (page.nextColumn !== undefined) return content.slice(column, page.nextColumn);
  let end = 0;
  for (let line = 0; line < page.lines && end !== -1; line++) {
    const newline = content.indexOf("\n", end);
    if (newline === -1) return content.slice(column);
    end = newline + 1;
  }
  return content.slice(column, end);
}
