import type { TokenCounter } from "../token-count.js";

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
