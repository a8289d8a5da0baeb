import { pageOfListing } from "../call/page-of-listing.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import { VolumeError } from "../errors/volume-error.js";
import { comparePaths } from "../paths/segments.js";
import type { VolumeEntry, VolumeListPage } from "../spi/volume.js";
import type { PageOptions } from "../types/options.js";
import type { LsResult } from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { fileInfoOf } from "./describe-path.js";
import { statPath } from "./find.js";
import { visitEntries } from "./visit-entries.js";

/** The children of a directory, sorted, or a page of them. Throws `not_found`, `not_directory`. */
export async function listDirectory(
  { volume }: VolumeContext,
  path: string,
  options: PageOptions,
): Promise<LsResult> {
  const { limit, after, signal } = options;
  const query = { signal, deep: false };
  const entries: VolumeEntry[] = [];
  let more = false;
  try {
    const page =
      limit === undefined ? undefined : await volume.listPage?.(path, { ...query, limit, after });
    if (page !== undefined && (limit === 0 || goesOn(page, after))) {
      more = page.more;
      for (const entry of page.entries) entries.push(entry);
    } else await visitEntries(volume.list(path, query), (entry) => void entries.push(entry));
  } catch (error) {
    // A system's call says the same of a file and of what would lie below one, where there is nothing (R5).
    const isNoDirectory = failureFromThrown(error, path).code === "not_directory";
    if (isNoDirectory && (await statPath(volume, path, { signal })) === undefined)
      throw new VolumeError("not_found", undefined, { cause: error });
    throw error;
  }
  if (entries.length === 0 && path !== "/" && volume.directories !== "real") {
    const found = await statPath(volume, path, { signal });
    if (found?.kind !== "directory")
      throw new VolumeError(found === undefined ? "not_found" : "not_directory");
  }
  return pageOfListing(entries.map(fileInfoOf), options, more);
}

/** Whether a page holds what the next one starts after: its caller would ask for the same one without end. */
function goesOn({ entries, more }: VolumeListPage, after: string | undefined): boolean {
  return (
    !more ||
    entries.some((entry) => after === undefined || comparePaths(fileInfoOf(entry).path, after) > 0)
  );
}
