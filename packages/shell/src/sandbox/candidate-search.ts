import {
  classify,
  searchLines,
  type GrepQuery,
  type VolumeFile,
  type VolumeHit,
} from "@fs/protocol/author";

/** Candidate files fetched at once. */
const WIDTH = 8;

/**
 * The matching lines of candidate files, in order and a few files at a time, so that a cap ends the fetching. A candidate
 * only holds the bytes: whether it is text, and which lines match, is decided here, as everywhere.
 */
export async function* matchesOf(
  paths: readonly string[],
  query: GrepQuery,
  get: (path: string) => Promise<VolumeFile | undefined>,
): AsyncGenerator<VolumeHit[]> {
  const search = async (path: string): Promise<VolumeHit[]> => {
    const file = await get(path);
    const content = file === undefined ? undefined : classify(path, file.bytes);
    if (content?.kind !== "text") return [];
    return searchLines(content.text, query.pattern, query.limit).map((hit) => ({ path, ...hit }));
  };
  for (let from = 0; from < paths.length; from += WIDTH) {
    for (const hits of await Promise.all(paths.slice(from, from + WIDTH).map(search))) yield hits;
  }
}
