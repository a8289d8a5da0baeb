import { pageOfListing } from "../call/page-of-listing.js";
import { joinPath, prefixOf } from "../paths/segments.js";
import type { PageOptions } from "../types/options.js";
import type { FileInfo, LsResult } from "../types/results.js";
import { allWarnings, gather, relevantFailures, verdict } from "./fan-out.js";
import { innerPage, isOwnedBy, toInner, toOuter } from "./mount-table.js";
import type { SearchContext } from "./search.js";

/** The children of a directory: its owner's, without what mounts hide, and the mounts. */
export async function listRouted(
  { table, partial }: SearchContext,
  path: string,
  options: PageOptions,
): Promise<LsResult> {
  const mount = table.ownerOf(path);
  const names = table.childNames(path);
  // Mounts among the children are mixed in here, so that the owner's page could end anywhere.
  const page = innerPage(mount, options, names.length === 0);
  const visit = { mount, inner: toInner(mount, path), below: false };
  const gathered = await gather([visit], ({ inner }) => mount.backend.ls(inner, page));
  const { failure, warnings } = verdict(
    relevantFailures(gathered, names.length > 0),
    partial,
    names.length > 0,
  );
  if (failure !== undefined) return failure;
  const files = new Map<string, FileInfo>();
  const listed = gathered.answers[0]?.result;
  // Without a mount among the children, all below the directory is its owner's.
  const owned = names.length === 0 ? prefixOf(path) : undefined;
  for (const info of listed?.files ?? []) {
    const outer = toOuter(mount, info.path);
    const own = owned !== undefined && outer.startsWith(owned);
    if (!own && !isOwnedBy(table, mount, outer)) continue;
    files.set(outer, outer === info.path ? info : { ...info, path: outer });
  }
  for (const name of names) {
    const child = joinPath(path, name);
    // What is there in the owner is hidden by the mount, or is the directory that leads to it.
    files.delete(child);
    if (!files.has(`${child}/`)) files.set(`${child}/`, { path: `${child}/`, is_dir: true });
  }
  return {
    ...pageOfListing([...files.values()], options, listed?.truncated),
    ...allWarnings(gathered.answers, warnings),
  };
}
