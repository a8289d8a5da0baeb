import { isPromise } from "../concurrency/maybe-promise.js";
import type { PageOptions } from "../types/options.js";
import type { MaybePromise } from "../types/outcome.js";
import type { FileInfo, GlobResult, LsResult } from "../types/results.js";
import { pageOfListing } from "./page-of-listing.js";

/** How much more is asked for when hidden entries used up a page. */
const GROWTH = 4;

/**
 * The visible entries of a listing, as if the hidden ones did not exist: neither the number of a page nor `truncated` nor
 * `nextAfter` depends on them. While hidden entries use up a page, the next one is four times as large.
 *
 * @param list Lists all entries of a page.
 * @param options What the caller asks for.
 * @param visible Leaves out the hidden ones.
 */
export function pageVisible<R extends LsResult | GlobResult>(
  list: (options: PageOptions | undefined) => Promise<R>,
  options: PageOptions | null | undefined,
  visible: (files: readonly FileInfo[]) => MaybePromise<FileInfo[]>,
): Promise<R> {
  const limit = options?.limit;
  if (limit !== undefined) return pages(list, { ...options, limit }, visible);
  return list(options ?? undefined).then((all) => {
    if (all.files === undefined) return all;
    const files = visible(all.files);
    return isPromise(files) ? files.then((kept) => ({ ...all, files: kept })) : { ...all, files };
  });
}

async function pages<R extends LsResult | GlobResult>(
  list: (options: PageOptions) => Promise<R>,
  options: PageOptions & { limit: number },
  visible: (files: readonly FileInfo[]) => MaybePromise<FileInfo[]>,
): Promise<R> {
  const seen: FileInfo[] = [];
  const warnings: string[] = [];
  let asked = onePage(options, 1);
  for (let factor = GROWTH; ; factor *= GROWTH) {
    const result = await list(asked);
    if (result.files === undefined) return result;
    const { truncated, nextAfter, files, ...page } = result;
    for (const file of await visible(files)) seen.push(file);
    warnings.push(...(page.warnings ?? []));
    const goesOn = truncated === true && nextAfter !== undefined;
    if (!goesOn || seen.length > options.limit)
      return {
        ...page,
        ...pageOfListing(seen, options, truncated === true && !goesOn),
        ...(warnings.length === 0 ? {} : { warnings: [...new Set(warnings)] }),
      } as R;
    asked = { ...onePage(options, factor), after: nextAfter };
  }
}

/** A page with room for one entry more than was asked for: it shows whether there are more. */
function onePage(options: PageOptions & { limit: number }, factor: number): PageOptions {
  return { ...options, limit: Math.min(options.limit * factor + 1, Number.MAX_SAFE_INTEGER) };
}
