/** The lines of a text, terminators included; together they are the text. None for an empty one. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
