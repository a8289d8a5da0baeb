import { breather } from "../concurrency/breather.js";
import { isPromise } from "../concurrency/maybe-promise.js";
import { failureFromThrown } from "../errors/from-thrown.js";
import type { ListQuery, Listing, Volume, VolumeEntry } from "../spi/volume.js";
import type { MaybePromise } from "../types/outcome.js";

/** Looks at an entry, which may take a while. `false` ends the listing. */
export type Visit = (entry: VolumeEntry) => MaybePromise<boolean | void>;

/**
 * Shows each entry of a listing, and lets other work of the process go on in between. Entries that come in batches cost no
 * promise each.
 */
export async function visitEntries(listing: Listing, visit: Visit): Promise<void> {
  const breathe = breather();
  if (listing.batches === undefined) {
    for await (const entry of listing) {
      const next = visit(entry);
      if ((isPromise(next) ? await next : next) === false) return;
      const pause = breathe();
      if (pause !== undefined) await pause;
    }
    return;
  }
  for await (const batch of listing.batches()) {
    for (const entry of batch) {
      const next = visit(entry);
      if ((isPromise(next) ? await next : next) === false) return;
      const pause = breathe();
      if (pause !== undefined) await pause;
    }
  }
}

/** The same for a directory, which may be missing: returns `false` where the storage reports that before any entry. */
export async function visitDirectory(
  volume: Volume,
  directory: string,
  query: ListQuery,
  visit: Visit,
): Promise<boolean> {
  let begun = false;
  try {
    await visitEntries(volume.list(directory, query), (entry) => {
      begun = true;
      return visit(entry);
    });
    return true;
  } catch (error) {
    const { code } = failureFromThrown(error, directory);
    if (!begun && (code === "not_found" || code === "not_directory")) return false;
    throw error;
  }
}
