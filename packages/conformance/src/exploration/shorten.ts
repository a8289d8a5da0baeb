/**
 * Returns a part of a sequence that still fails, from which no single item can be left out: by taking away stretches of it,
 * each half as long as the ones before.
 *
 * @param fails Whether a sequence fails. Once it always says no, the search ends.
 */
export async function shorten<T>(
  sequence: readonly T[],
  fails: (part: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let shortest = sequence;
  for (let length = Math.ceil(sequence.length / 2); length >= 1; length = Math.floor(length / 2))
    for (let at = 0; at < shortest.length;) {
      const part = [...shortest.slice(0, at), ...shortest.slice(at + length)];
      if (part.length > 0 && (await fails(part))) shortest = part;
      else at += length;
    }
  return shortest;
}
