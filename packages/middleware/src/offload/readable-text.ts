/** A text as a file that can be read and searched: NUL would make it binary, and half of a surrogate pair no text at all. */
export function readableText(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\u2400");
}
