import { removeFile } from "@fs/protocol/bridge";
import type { BackendCalls, Target } from "./backend-calls.js";
import type { PathLike } from "./paths.js";

/** The methods that remove. */
export function removalMethods(calls: BackendCalls) {
  async function removed(target: Target, options: { ifVersion?: string }): Promise<void> {
    const outcome = await removeFile(calls.backend, target.path, {
      ...calls.options(),
      ...options,
    });
    if (outcome.code === "not_found" && calls.virtual.madeAt(target.path) !== undefined)
      calls.fail(target, "is_directory");
    calls.data(target, outcome);
  }

  async function rm(
    path: PathLike,
    options: { recursive?: boolean; force?: boolean } = {},
  ): Promise<void> {
    const target = calls.target(path, "rm");
    const { recursive = false, force = false } = options;
    const found = await calls.find(target);
    if (found === undefined && force) return;
    if (found?.is_dir !== true) return removed(target, {});
    if (!recursive) calls.fail(target, "is_directory", "ERR_FS_EISDIR");
    if (target.path === "/") calls.fail(target, "permission_denied", "EPERM");
    const isVirtual = calls.virtual.dropWithin(target.path);
    if (calls.backend.delete === undefined) calls.fail(target, "unsupported");
    const outcome = await calls.backend.delete(target.path, calls.options());
    if (outcome.code !== "not_found" || !(isVirtual || force)) calls.data(target, outcome);
  }

  /** Removes an empty directory that `mkdir` made. No backend can remove one of its own only if it is empty: ENOTSUP. */
  async function rmdir(path: PathLike): Promise<void> {
    const target = calls.target(path, "rmdir");
    const found = await calls.need(target);
    if (found.is_dir !== true) calls.fail(target, "not_directory");
    if ((await calls.list(target)).length > 0) calls.fail(target, "already_exists", "ENOTEMPTY");
    if (!calls.virtual.dropWithin(target.path)) calls.fail(target, "unsupported");
  }

  /** Removes a file; with `ifVersion` only in that version, else EBUSY. */
  const unlink = async (
    path: PathLike,
    { ifVersion }: { ifVersion?: string } = {},
  ): Promise<void> =>
    removed(calls.target(path, "unlink"), ifVersion === undefined ? {} : { ifVersion });

  return { rm, rmdir, unlink };
}
