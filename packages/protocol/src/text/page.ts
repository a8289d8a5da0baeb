/** A page of a text file: an exact slice, terminators included. */
export interface TextPage {
  content: string;
  /** Lines of the whole file, where known. */
  totalLines?: number;
  /** 1-based; absent when the page holds no line. */
  startLine?: number;
  /** 1-based; absent when the page holds no line. */
  endLine?: number;
  /** The offset of the next page; absent at the end of the file. */
  nextOffset?: number;
}

/** Lines a page may have unless its caller says otherwise. */
export const DEFAULT_LIMIT = 500;

/**
 * Counts lines as every page does: each `\n` ends one, and text after the last `\n` is one more. `""` has none.
 */
export function countLines(text: string): number {
  let lines = 0;
  let from = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
    lines++;
    from = at + 1;
  }
  return from < text.length ? lines + 1 : lines;
}

/**
 * The slice of `text` from line `offset` (0-based) of at most `limit` lines. Pages in a row concatenate to the file.
 *
 * @returns The page, or `undefined` when `offset` lies past the end. Offset 0 of an empty file is a page: `""`.
 */
export function pageOf(text: string, offset: number, limit: number): TextPage | undefined {
  const totalLines = countLines(text);
  if (offset > 0 && offset >= totalLines) return undefined;
  return {
    ...describePage(offset, Math.min(limit, totalLines - offset), totalLines),
    // A page that is the whole file is the string that there is.
    content: offset === 0 && limit >= totalLines ? text : slice(text, offset, limit),
  };
}

/** The line numbers of a page of `lines` lines that begins at `offset` in a file of `totalLines`. */
export function describePage(
  offset: number,
  lines: number,
  totalLines: number,
): Omit<TextPage, "content"> {
  const end = offset + lines;
  return {
    totalLines,
    ...(lines > 0 ? { startLine: offset + 1, endLine: end } : {}),
    ...(end < totalLines ? { nextOffset: end } : {}),
  };
}

function slice(text: string, offset: number, limit: number): string {
  const start = skipLines(text, 0, offset);
  return text.slice(start, skipLines(text, start, limit));
}

function skipLines(text: string, from: number, lines: number): number {
  let at = from;
  for (let n = 0; n < lines; n++) {
    const newline = text.indexOf("\n", at);
    if (newline === -1) return text.length;
    at = newline + 1;
  }
  return at;
}
