/** Characters that mean something in a pattern (G1). */
const SPECIAL = /[\\*?[\]{},!]/g;

/** Returns the pattern that means exactly these characters. */
export function literalPattern(characters: readonly string[]): string {
  return characters.join("").replaceAll(SPECIAL, String.raw`\$&`);
}
