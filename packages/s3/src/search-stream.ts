import { countLines, searchLines, type LineHit, type LinePattern } from "@fs/protocol/hooks";
import { VolumeError } from "@fs/protocol/author";

/**
 * The matching lines of a text that comes in pieces, holding no more of it than a line. Read to its end even after the
 * last hit that counts, because a NUL byte or invalid UTF-8 anywhere makes a file binary, which has no hits.
 *
 * @param maxLineBytes A longer line is `too_large`.
 */
export async function searchStream(
  pieces: AsyncIterable<Uint8Array>,
  pattern: LinePattern,
  limit: number,
  maxLineBytes: number,
): Promise<LineHit[]> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const hits: LineHit[] = [];
  let before = 0;
  let unfinished: string[] = [];
  let unfinishedLength = 0;
  const search = (text: string): void => {
    if (hits.length < limit) {
      for (const { line, text: found } of searchLines(text, pattern, limit - hits.length))
        hits.push({ line: before + line, text: found });
      before += countLines(text);
    }
  };
  for await (const piece of pieces) {
    const text = piece.includes(0) ? undefined : decoded(decoder, piece);
    if (text === undefined) return [];
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) {
      search(unfinished.join("") + text.slice(0, end));
      unfinished = [];
      unfinishedLength = 0;
    }
    unfinished.push(text.slice(end));
    unfinishedLength += text.length - end;
    if (unfinishedLength > maxLineBytes) throw new VolumeError("too_large");
  }
  const rest = decoded(decoder);
  if (rest === undefined) return [];
  search(unfinished.join("") + rest);
  return hits;
}

/** The text of a piece, or of what is left at the end; `undefined` for bytes that are no UTF-8. */
function decoded(
  decoder: InstanceType<typeof TextDecoder>,
  piece?: Uint8Array,
): string | undefined {
  try {
    return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
