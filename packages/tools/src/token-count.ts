/** Counts the tokens of a text, exactly or nearly. */
export type TokenCounter = (text: string) => number;

// Han, kana, hangul, their punctuation and full-width forms: about one token each.
const WIDE =
  /[\u1100-\u11ff\u2e80-\u303f\u3040-\u30ff\u3130-\u318f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef]/;

/**
 * Estimates tokens without a tokenizer: four ASCII characters to a token, two characters of other alphabets, one of
 * Chinese, Japanese or Korean, and two for a character outside the basic plane such as an emoji. Errs on the high side
 * for prose. Looks at every character.
 */
export const estimateTokens: TokenCounter = (text) => {
  let quarters = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) quarters += 1;
    else if (unit >= 0xd800 && unit <= 0xdfff) quarters += 4;
    else if (unit >= 0x1100 && WIDE.test(text[at] ?? "")) quarters += 4;
    else quarters += 2;
  }
  return Math.ceil(quarters / 4);
};
