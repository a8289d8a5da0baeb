import { lstatSync, unlinkSync } from "node:fs";
import { quote, VolumeError } from "@fs/protocol/author";
import { errnoOf } from "../tree/refusals.js";

const PREFIX = ".fs-disk-";
// In any case: on a disk that folds case, another spelling names the same file.
const NAME = /^\.fs-disk-[0-9a-f]{24}\.tmp$/i;
const IN_PATH = /\/\.fs-disk-[0-9a-f]{24}\.tmp(?:\/|$)/i;
/** Milliseconds after which a temporary file is that of a writer which was killed. A living one stamps it as it writes. */
const OLD = 60 * 60 * 1000;

/** A fresh name for a file that is being written. No agent can guess it, and no listing shows it. */
export function temporaryName(): string {
  // Not imported: a program that only reads starts without it.
  const { randomBytes } = process.getBuiltinModule("node:crypto");
  return `${PREFIX}${randomBytes(12).toString("hex")}.tmp`;
}

/** Returns whether a name is one of {@link temporaryName}: of a file half written, or left behind by a crash. */
export function isTemporaryName(name: string): boolean {
  return name.length === PREFIX.length + 28 && NAME.test(name);
}

/** The path, unless a segment of it is a temporary name. Throws `permission_denied`. */
export function outsideTemporary(path: string): string {
  if (!IN_PATH.test(path)) return path;
  throw new VolumeError(
    "permission_denied",
    `Names like ${quote(".fs-disk-….tmp")} are kept for files in the making. Use another name.`,
  );
}

/** Removes a temporary file that a listing came upon, if it is old: its writer was killed. */
export function removeIfOld(host: string): void {
  try {
    const stats = lstatSync(host, { throwIfNoEntry: false });
    if (stats?.isFile() === true && Date.now() - stats.mtimeMs > OLD) unlinkSync(host);
  } catch (error) {
    // Gone, or on a disk that this process may not change: then it stays, hidden as before.
    const code = errnoOf(error);
    if (code !== "ENOENT" && code !== "EACCES" && code !== "EPERM" && code !== "EROFS") throw error;
  }
}
