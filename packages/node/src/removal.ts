import type { BackendCalls, Target } from "./backend-calls.js";
import type { PathLike } from "./paths.js";

/** Rounds of looking and removing before a call gives up; in each of them another caller has changed the file. */
const ROUNDS = 100;

/** The methods that remove. */
export function removalMethods(calls: BackendCalls) {
  /** Removes a file in the version that was seen, so that a directory that takes its place meanwhile stays. */
  async function removeFile(
    target: Target,
    { force = false, ifVersion }: { force?: boolean; ifVersion?: string },
  ): Promise<void> {
    if (calls.backend.delete === undefined) calls.fail(target, "unsupported");
    for (let round = 1; ; round++) {
      const found = await calls.find(target, {});
      if (found === undefined && force) return;
      if (found === undefined) calls.fail(target, "not_found");
      if (found.is_dir === true) calls.fail(target, "is_directory");
      const version = ifVersion ?? found.version;
      const condition = version === undefined ? {} : { ifVersion: version };
      const removed = await calls.backend.delete(target.path, condition);
      if (removed.code === "conflict" && ifVersion === undefined && round < ROUNDS) continue;
      if (removed.code === "not_found" && force) return;
      calls.data(target, removed);
      return;
    }
  }

  async function rm(
    path: PathLike,
    options: { recursive?: boolean; force?: boolean } = {},
  ): Promise<void> {
    const target = calls.target(path, "rm");
    const { recursive = false, force = false } = options;
    const found = await calls.find(target, {});
    if (found?.is_dir !== true) return removeFile(target, { force });
    if (!recursive) calls.fail(target, "is_directory", "ERR_FS_EISDIR");
    if (target.path === "/") calls.fail(target, "permission_denied", "EPERM");
    const isVirtual = calls.virtual.dropWithin(target.path);
    if (calls.backend.delete === undefined) calls.fail(target, "unsupported");
    const removed = await calls.backend.delete(target.path);
    if (removed.code !== "not_found" || !(isVirtual || force)) calls.data(target, removed);
  }

  /** Removes an empty directory that `mkdir` made. No backend can remove one of its own only if it is empty: ENOTSUP. */
  async function rmdir(path: PathLike): Promise<void> {
    const target = calls.target(path, "rmdir");
    const found = await calls.need(target, {});
    if (found.is_dir !== true) calls.fail(target, "not_directory");
    if ((await calls.list(target, {})).length > 0)
      calls.fail(target, "already_exists", "ENOTEMPTY");
    if (!calls.virtual.dropWithin(target.path)) calls.fail(target, "unsupported");
  }

  /** Removes a file; with `ifVersion` only in that version, else EBUSY. */
  const unlink = async (path: PathLike, options: { ifVersion?: string } = {}): Promise<void> =>
    removeFile(calls.target(path, "unlink"), options);

  return { rm, rmdir, unlink };
}
