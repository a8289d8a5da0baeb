import type { TokenCounter } from "../offload/token-count.js";

/** As many lines as fit, and how many there were. */
export interface CutList {
  readonly text: string;
  readonly shown: number;
}

/** Joins lines until the tokens are used up. At least one line is shown. */
export function cutList(
  lines: readonly string[],
  limit: { readonly tokens: number; readonly count: TokenCounter },
): CutList {
  let left = limit.tokens;
  let shown = 0;
  for (const line of lines) {
    left -= limit.count(line) + 1;
    if (left < 0 && shown > 0) break;
    shown++;
  }
  return { text: lines.slice(0, shown).join("\n"), shown };
}

/** The longest line of a search result that is shown whole, in characters. */
const MAX_LINE = 500;

/** A line of a search result; a very long one is clipped, and says so. */
export function clipLine(line: string): string {
  if (line.length <= MAX_LINE) return line;
  const kept = line.slice(0, MAX_LINE).toWellFormed();
  return `${kept}… [line of ${line.length} characters clipped]`;
}
