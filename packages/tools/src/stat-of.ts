import { type CallOptions, failure, type Filesystem, type StatResult } from "@fs/protocol";
import { parentOf } from "@fs/protocol/author";
import { canonicalName } from "./known-files.js";

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
  const name = canonicalName(path);
  if (name === "/") return { info: { path: "/", is_dir: true } };
  const listed = await backend.ls(parentOf(name), options);
  if (listed.error !== undefined) return listed;
  const info = listed.files.find((file) => file.path === name || file.path === `${name}/`);
  return info === undefined ? failure("not_found", name) : { info };
}
