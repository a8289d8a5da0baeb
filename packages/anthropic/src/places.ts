/** Where a text occurs, overlaps included: two places for `aa` in `aaa`. */
export function placesOf(text: string, searched: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(searched); at !== -1; at = text.indexOf(searched, at + 1))
    places.push(at);
  return places;
}

/** The lines of places, each once. */
export function linesOf(text: string, places: readonly number[]): string {
  return [...new Set(places.map((place) => lineAt(text, place)))].join(", ");
}

/** The 1-based line of a place. */
export function lineAt(text: string, place: number): number {
  return text.slice(0, place).split("\n").length;
}
