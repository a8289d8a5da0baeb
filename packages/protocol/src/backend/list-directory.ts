import { VolumeError } from "../errors/volume-error.js";
import { comparePaths } from "../paths/segments.js";
import type { VolumeCall, VolumeEntry } from "../spi/volume.js";
import type { FileInfo, LsResult } from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { statPath } from "./find.js";

/** The children of a directory, sorted. Throws `not_found`, `not_directory`. */
export async function listDirectory(
  { volume }: VolumeContext,
  path: string,
  call: VolumeCall,
): Promise<LsResult> {
  const files: FileInfo[] = [];
  for await (const entry of volume.list(path, { ...call, deep: false }))
    files.push(fileInfoOf(entry));
  if (files.length === 0 && path !== "/" && volume.directories !== "real") {
    const stood = await statPath(volume, path, call);
    if (stood?.kind !== "directory")
      throw new VolumeError(stood === undefined ? "not_found" : "not_directory");
  }
  return { files: files.toSorted((a, b) => comparePaths(a.path, b.path)) };
}

/** An entry as callers see it: a directory ends in `/`. */
export function fileInfoOf(entry: VolumeEntry): FileInfo {
  const modified = entry.modifiedAt === undefined ? {} : { modified_at: entry.modifiedAt };
  if (entry.kind === "directory") return { path: `${entry.path}/`, is_dir: true, ...modified };
  const size = entry.size === undefined ? {} : { size: entry.size };
  return { path: entry.path, is_dir: false, ...size, ...modified };
}
