import { estimateTokens, type TokenCounter } from "@fs/tools";

/**
 * A counter that always answers: where the given one throws, as tokenizers do on a text with a special token, or answers no
 * number, the tokens are estimated. Only the first time is reported, since one answer is counted line by line.
 */
export function dependableCounter(
  given: TokenCounter,
  report: (error: unknown) => void,
): TokenCounter {
  let reported = false;
  return (text) => {
    try {
      const tokens: unknown = given(text);
      if (typeof tokens === "number" && !Number.isNaN(tokens)) return tokens;
      throw new TypeError("'tokenCounter' must answer a number.");
    } catch (error) {
      if (!reported) report(error);
      reported = true;
      return estimateTokens(text);
    }
  };
}
