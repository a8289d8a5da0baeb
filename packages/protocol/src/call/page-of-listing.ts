import { comparePaths } from "../paths/segments.js";
import type { PageOptions } from "../types/options.js";
import type { FileInfo } from "../types/results.js";

/**
 * A page of a listing, sorted by the path as listed.
 *
 * @param files The listing in any order; with `more` its first entries after `after`.
 * @param more True when there are entries beyond `files`.
 */
export function pageOfListing(
  files: readonly FileInfo[],
  { limit, after }: PageOptions,
  more = false,
): { files: FileInfo[]; truncated?: true; nextAfter?: string } {
  const sorted = files.toSorted((a, b) => comparePaths(a.path, b.path));
  const from =
    after === undefined ? sorted : sorted.filter(({ path }) => comparePaths(path, after) > 0);
  if (limit === undefined) return more ? { files: from, truncated: true } : { files: from };
  if (from.length <= limit && !more) return { files: from };
  const page = from.slice(0, limit);
  const last = page.at(-1)?.path ?? after;
  return { files: page, truncated: true, ...(last === undefined ? {} : { nextAfter: last }) };
}
