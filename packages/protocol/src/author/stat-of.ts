import { failure } from "../errors/messages.js";
import { canonicalPath } from "../paths/path.js";
import { parentOf } from "../paths/segments.js";
import type { CallOptions } from "../types/options.js";
import type { Filesystem } from "../types/protocol.js";
import type { StatResult } from "../types/results.js";

/**
 * Size, times and version of a file or directory: one call where the backend can, otherwise from the listing of the
 * directory it is in. Fails with `not_found` and whatever the backend answers.
 */
export async function statOf(
  backend: Filesystem,
  path: string,
  options: CallOptions,
): Promise<StatResult> {
  if (backend.stat !== undefined) return backend.stat(path, options);
  const canonical = canonicalPath(path);
  if (canonical.failure !== undefined) return canonical.failure;
  const { path: name } = canonical;
  if (name === "/") return { info: { path: "/", is_dir: true } };
  const listed = await backend.ls(parentOf(name), options);
  if (listed.error !== undefined) return listed;
  const info = listed.files.find((file) => file.path === name || file.path === `${name}/`);
  return info === undefined ? failure("not_found", name) : { info };
}
