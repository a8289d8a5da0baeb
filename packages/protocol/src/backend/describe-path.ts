import { VolumeError } from "../errors/volume-error.js";
import type { VolumeCall, VolumeEntry } from "../spi/volume.js";
import { mediaTypeOf } from "../text/mime.js";
import type { FileInfo, FileStat } from "../types/results.js";
import type { VolumeContext } from "./context.js";
import { statPath } from "./find.js";

/** What is at a path. Throws `not_found`, and `not_directory` for a file written with a trailing slash. */
export async function describePath(
  { volume }: VolumeContext,
  path: string,
  trailingSlash: boolean,
  call: VolumeCall,
): Promise<FileStat> {
  const entry = await statPath(volume, path, call);
  if (entry === undefined) throw new VolumeError("not_found");
  if (entry.kind === "directory") return path === "/" ? { path, is_dir: true } : fileInfoOf(entry);
  if (trailingSlash) throw new VolumeError("not_directory");
  const mimeType = mediaTypeOf(path);
  return {
    ...fileInfoOf(entry),
    ...(entry.createdAt === undefined ? {} : { created_at: entry.createdAt }),
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(entry.writeId === undefined ? {} : { writeId: entry.writeId }),
  };
}

/** An entry as callers see it: a directory ends in `/`. */
export function fileInfoOf({ kind, path, size, modifiedAt, version }: VolumeEntry): FileInfo {
  const directory = kind === "directory";
  const info: FileInfo = { path: directory ? `${path}/` : path, is_dir: directory };
  if (!directory && size !== undefined) info.size = size;
  if (modifiedAt !== undefined) info.modified_at = modifiedAt;
  if (!directory && version !== undefined) info.version = version;
  return info;
}
