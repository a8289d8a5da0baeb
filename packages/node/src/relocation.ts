import { isWithin } from "@fs/protocol/author";
import { constants } from "node:fs";
import type { BackendCalls } from "./backend-calls.js";
import type { PathLike } from "./paths.js";

/** The methods that move and copy. */
export function relocationMethods(calls: BackendCalls) {
  async function rename(from: PathLike, to: PathLike): Promise<void> {
    const source = calls.target(from, "rename");
    const target = calls.target(to, "rename");
    const found = await calls.need(source);
    if (source.path === target.path) return;
    if (isWithin(target.path, source.path)) calls.fail(source, "invalid_argument");
    const standing = await calls.find(target);
    if (standing?.is_dir === true) {
      if (found.is_dir !== true) calls.fail(target, "is_directory");
      if ((await calls.list(target)).length > 0) calls.fail(target, "already_exists", "ENOTEMPTY");
      if (!calls.virtual.dropWithin(target.path)) calls.fail(target, "unsupported");
    }
    if (standing?.is_dir === false && found.is_dir === true) calls.fail(target, "not_directory");
    if (calls.backend.move === undefined) calls.fail(source, "unsupported");
    // A file replaces one. A directory replaces nothing, also not what comes to be at its destination meanwhile.
    const moved = await calls.backend.move(source.path, target.path, {
      ...calls.options(),
      overwrite: found.is_dir !== true,
    });
    if (moved.code === "already_exists" && found.is_dir === true)
      calls.fail(target, moved, "ENOTEMPTY");
    const isVirtual = calls.virtual.madeAt(source.path) !== undefined;
    if (moved.code !== "not_found" || !isVirtual) calls.data(source, moved);
    calls.virtual.move(source.path, target.path);
    if (moved.error === undefined) calls.virtual.dropAbove(`${target.path}/file`);
  }

  async function cp(
    from: PathLike,
    to: PathLike,
    options: { recursive?: boolean; force?: boolean; errorOnExist?: boolean } = {},
  ): Promise<void> {
    const source = calls.target(from, "cp");
    const target = calls.target(to, "cp");
    const { recursive = false, force = true, errorOnExist = false } = options;
    const found = await calls.need(source);
    if (found.is_dir === true && !recursive) calls.fail(source, "is_directory", "ERR_FS_EISDIR");
    if (isWithin(target.path, source.path)) calls.fail(source, "invalid_argument");
    const isVirtual = calls.virtual.madeAt(target.path) !== undefined;
    if (isVirtual && found.is_dir !== true) calls.fail(target, "is_directory");
    if (calls.backend.copy === undefined) calls.fail(source, "unsupported");
    const copied = await calls.backend.copy(source.path, target.path, {
      ...calls.options(),
      overwrite: force,
    });
    const mayStay = found.is_dir !== true && !force && !errorOnExist;
    if (copied.code === "already_exists" && mayStay) return;
    if (copied.code === "not_found" && found.is_dir === true) calls.virtual.add(target.path);
    else calls.data(target, copied);
    calls.virtual.dropAbove(`${target.path}/file`);
  }

  async function copyFile(from: PathLike, to: PathLike, mode = 0): Promise<void> {
    const only = (mode & constants.COPYFILE_EXCL) !== 0;
    await cp(from, to, { force: !only, errorOnExist: only });
  }

  return { rename, cp, copyFile };
}
