// Control characters, and those that turn the direction of text: a name could move the cursor or read as another.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu;
const NAMED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A name for a terminal: what does not print, or prints as something else, is escaped. */
export function printable(name: string): string {
  return name.replace(UNPRINTABLE, escaped);
}

/** A text for a terminal: line ends and tabs stay. */
export function printableText(text: string): string {
  return text.replace(UNPRINTABLE, (character) =>
    character === "\n" || character === "\t" ? character : escaped(character),
  );
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return NAMED[character] ?? `\\u{${code}}`;
}
