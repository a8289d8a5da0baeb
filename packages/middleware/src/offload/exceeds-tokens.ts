import type { TokenCounter } from "@fs/tools";

/** Bytes of UTF-8 per UTF-16 code unit at most; no byte-level tokenizer makes more tokens than bytes. */
const MOST_TOKENS_PER_UNIT = 3;
/** No tokenizer in use packs more code units into a token on average, but for runs of blanks. */
const FEWEST_UNITS_FOR_CERTAIN = 64;

/** Whether a text has more than `limit` tokens. Short and huge texts are decided without counting. */
export function exceedsTokens(text: string, limit: number, count: TokenCounter): boolean {
  if (text.length * MOST_TOKENS_PER_UNIT <= limit) return false;
  if (text.length > limit * FEWEST_UNITS_FOR_CERTAIN) return true;
  return count(text) > limit;
}
