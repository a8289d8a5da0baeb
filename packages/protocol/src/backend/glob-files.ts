import { pageOfListing } from "../call/page-of-listing.js";
import { VolumeError } from "../errors/volume-error.js";
import { compiled } from "../glob/compiled.js";
import { compileGlob, type PathGlob } from "../glob/path-glob.js";
import { parentOf } from "../paths/segments.js";
import type { ListQuery, VolumeCall, VolumeEntry } from "../spi/volume.js";
import type { PageOptions } from "../types/options.js";
import type { GlobResult } from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { statPath } from "./find.js";
import { fileInfoOf } from "./describe-path.js";
import { LeftOut } from "./left-out.js";
import { visitDirectory } from "./visit-entries.js";

/** The files below `base` that match, sorted. Throws `invalid_pattern`, `not_found`. */
export async function globFiles(
  context: VolumeContext,
  pattern: unknown,
  base: string,
  options: PageOptions,
): Promise<GlobResult> {
  const call = { signal: options.signal };
  const glob = compiled(compileGlob(pattern, base));
  const leftOut = new LeftOut();
  let found = await matchesBelow(context, glob, { ...call, onUnreadable: leftOut.note });
  if (found.length === 0 && base !== "/")
    found = await matchBaseItself(context, pattern, base, call);
  return { ...pageOfListing(found.map(fileInfoOf), options), ...leftOut.warnings };
}

async function matchesBelow(
  { volume }: VolumeContext,
  glob: PathGlob,
  call: Pick<ListQuery, "signal" | "onUnreadable">,
): Promise<VolumeEntry[]> {
  const found: VolumeEntry[] = [];
  const query = { ...call, deep: glob.depth > 1, glob };
  await visitDirectory(volume, glob.root, query, (entry) => {
    if (entry.kind === "file" && glob.matches(entry.path)) found.push(entry);
  });
  return found;
}

/** A file as base matches itself by name. A missing base is an error, and an empty directory no match. */
async function matchBaseItself(
  { volume }: VolumeContext,
  pattern: unknown,
  base: string,
  call: VolumeCall,
): Promise<VolumeEntry[]> {
  const entry = await statPath(volume, base, call);
  if (entry === undefined) throw new VolumeError("not_found");
  if (entry.kind === "directory") return [];
  return compiled(compileGlob(pattern, parentOf(base))).matches(base) ? [entry] : [];
}
