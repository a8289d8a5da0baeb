import { pathArgument } from "../call/arguments.js";
import { failure, quote } from "../errors/messages.js";
import { prefixOf } from "../paths/segments.js";
import type { CallOptions } from "../types/options.js";
import type { StatResult } from "../types/results.js";
import { type MountTable, toInner, toOuter } from "./mount-table.js";
import { outwardFailure } from "./rewrite-paths.js";

/** What is at a path: a mount and what leads to one are directories, anything else is the owner's to answer. */
export async function statRouted(
  table: MountTable,
  written: string,
  options: CallOptions,
): Promise<StatResult> {
  const path = pathArgument(written);
  if (path === "/" || table.isStructure(path))
    return { info: { path: prefixOf(path), is_dir: true } };
  const mount = table.ownerOf(path);
  const inner = toInner(mount, path);
  // A trailing slash says "directory", and the backend is the one to check it.
  const asked = written.endsWith("/") ? prefixOf(inner) : inner;
  const result = await mount.backend.stat?.(asked, options);
  if (result === undefined)
    return failure("unsupported", path, `The backend behind ${quote(path)} has no stat.`);
  if (result.error !== undefined) return outwardFailure(mount, result, [inner, asked]);
  return { info: { ...result.info, path: toOuter(mount, result.info.path) } };
}
