import type { TokenCounter } from "../token-count.js";

/** Characters of a line shown in one row; the rest follows in rows numbered `12.1`, `12.2` … */
const ROW_LENGTH = 2000;

/** Rows for the model, and how far they reach. */
export interface NumberedLines {
  readonly text: string;
  /** Source lines shown, the cut one included. */
  readonly lines: number;
  /** Lines of the page, shown or not. */
  readonly of: number;
  /** Characters of the last line that are not shown. */
  readonly cutCharacters: number;
  /** The column at which a line that is cut goes on. */
  readonly nextColumn?: number;
}

/** Where the rows begin and how many fit. */
export interface NumberingOptions {
  readonly tokens: number;
  readonly count: TokenCounter;
  /** The first character of the first line to show, for a line that was cut. Default 0. */
  readonly column?: number;
}

/**
 * Numbers the lines of a page as `cat -n` does, with an arrow in place of the tab: a tab could be taken for indentation.
 * A long line goes on in rows marked `12.1`, so it never pushes other lines off the page. Ends before the first line that
 * would exceed the tokens; a first line that alone exceeds them is cut.
 *
 * @param page The exact slice of a file, terminators included.
 * @param first 1-based number of its first line.
 */
export function numberLines(
  page: string,
  first: number,
  { tokens, count, column = 0 }: NumberingOptions,
): NumberedLines {
  const lines = linesOf(page);
  const width = String(first + lines.length - 1).length;
  const shown: string[] = [];
  let left = tokens;
  for (const [index, line] of lines.entries()) {
    const before = shown.length;
    for (const row of rowsOf(line, String(first + index), width, index === 0 ? column : 0)) {
      left -= count(row.text) + 1;
      if (left < 0 && index > 0) {
        return {
          text: shown.slice(0, before).join("\n"),
          lines: index,
          of: lines.length,
          cutCharacters: 0,
        };
      }
      if (left < 0 && shown.length > 0) {
        const cutCharacters = line.length - row.from;
        return {
          text: shown.join("\n"),
          lines: 1,
          of: lines.length,
          cutCharacters,
          nextColumn: row.from,
        };
      }
      shown.push(row.text);
    }
  }
  return { text: shown.join("\n"), lines: lines.length, of: lines.length, cutCharacters: 0 };
}

function linesOf(page: string): string[] {
  const lines = page.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

// One row at a time: of a line of many megabytes only the rows that fit are ever made.
function* rowsOf(
  line: string,
  number: string,
  width: number,
  column: number,
): Generator<{ readonly text: string; readonly from: number }> {
  const firstRow = Math.floor(column / ROW_LENGTH);
  let from = endOfCharacter(line, Math.min(column, line.length));
  for (let row = firstRow; row === firstRow || from < line.length; row++) {
    const to = endOfCharacter(line, from + ROW_LENGTH);
    const label = row === 0 ? number : `${number}.${row}`;
    yield { text: `${label.padStart(width)}→${line.slice(from, to)}`, from };
    from = to;
  }
}

/** The next place at or after `at` that does not split a surrogate pair. */
function endOfCharacter(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}
