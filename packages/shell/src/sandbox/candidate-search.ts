import { classify, searchLines } from "@fs/protocol/hooks";
import type { GrepQuery, VolumeFile, VolumeHit } from "@fs/protocol/author";

/** Candidate files fetched first when there is a cap, and how many times more each time after. */
const FIRST = 8;
const GROWTH = 4;

/**
 * The matching lines of candidate files, in order, so that a cap ends the fetching. A candidate only holds the bytes: whether
 * it is text, and which lines match, is decided here, as everywhere.
 */
export async function* matchesOf(
  paths: readonly string[],
  query: GrepQuery,
  getMany: (
    paths: readonly string[],
  ) => Promise<ReadonlyArray<PromiseSettledResult<VolumeFile | undefined>>>,
): AsyncGenerator<VolumeHit[]> {
  let width = query.limit === Infinity ? paths.length : FIRST;
  for (let from = 0; from < paths.length; width *= GROWTH) {
    const wanted = paths.slice(from, from + width);
    from += width;
    const files = await getMany(wanted);
    for (const [index, path] of wanted.entries()) {
      const file = files[index];
      if (file?.status === "rejected") throw file.reason;
      const content = file?.value === undefined ? undefined : classify(path, file.value.bytes);
      if (content?.kind !== "text") continue;
      yield searchLines(content.text, query.pattern, query.limit).map((hit) => ({ path, ...hit }));
    }
  }
}
