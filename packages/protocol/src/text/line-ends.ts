/** A stretch of a text: `[start, end)`. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds a text whose line ends are `\n` in one that has `\r\n`, or both kinds mixed: agents see and write `\n`.
 *
 * @returns The stretches of `text` that equal `old` when `\r\n` counts as `\n`, left to right without overlap. Empty when
 * `old` has no line end or `text` no `\r\n`: then only an exact match counts.
 */
export function findAcrossLineEnds(text: string, old: string): Stretch[] {
  if (!old.includes("\n") || !text.includes("\r\n")) return [];
  const folded = text.replaceAll("\r\n", "\n");
  const wanted = old.replaceAll("\r\n", "\n");
  const dropped = foldedLineEnds(text);
  const found: Stretch[] = [];
  for (
    let at = folded.indexOf(wanted);
    at !== -1;
    at = folded.indexOf(wanted, at + wanted.length)
  ) {
    const end = at + wanted.length;
    found.push({ start: at + countBelow(dropped, at), end: end + countBelow(dropped, end) });
  }
  return found;
}

/** A replacement with the line ends of the stretch that it replaces. */
export function withLineEndsOf(replaced: string, replacement: string): string {
  const folded = replacement.replaceAll("\r\n", "\n");
  return replaced.includes("\r\n") ? folded.replaceAll("\n", "\r\n") : folded;
}

/** Where each `\r\n` of a text stands once all of them are folded to `\n`, ascending. */
function foldedLineEnds(text: string): number[] {
  const positions: number[] = [];
  for (let at = text.indexOf("\r\n"); at !== -1; at = text.indexOf("\r\n", at + 2)) {
    positions.push(at - positions.length);
  }
  return positions;
}

function countBelow(ascending: readonly number[], limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? limit) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
