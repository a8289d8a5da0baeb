import type { StatsBase } from "node:fs";
import { quote, VolumeError } from "@fs/protocol/author";

/** The error for a symbolic link in the way. `link` is the virtual path of the link itself. */
export function linkRefused(link: string): VolumeError {
  return new VolumeError(
    "permission_denied",
    `${quote(link)} is a symbolic link, which is not followed here. Use the path that it stands for; deleting removes the link itself.`,
  );
}

/** The error for a link that leads out of the root, or into a circle. */
export function linkEscapes(link: string): VolumeError {
  return new VolumeError(
    "permission_denied",
    `${quote(link)} is a symbolic link that leads to no place inside the root.`,
  );
}

/** The error for a device, a pipe or a socket. */
export function specialRefused(path: string): VolumeError {
  return new VolumeError(
    "permission_denied",
    `${quote(path)} is a device, a pipe or a socket, not a regular file.`,
  );
}

/** Throws unless the thing at `path` is a regular file. */
export function requireRegular(stats: StatsBase<bigint> | StatsBase<number>, path: string): void {
  if (stats.isFile()) return;
  if (stats.isDirectory()) throw new VolumeError("is_directory");
  if (stats.isSymbolicLink()) throw linkRefused(path);
  throw specialRefused(path);
}

/** What the errno names here say of a path: something else is there, nothing is, or it may not be reached. */
const ABOUT_A_PATH = new Set([
  "ENOENT",
  "ENOTDIR",
  "EISDIR",
  "ELOOP",
  "EACCES",
  "EPERM",
  "ENAMETOOLONG",
]);

/**
 * True for an error that is an answer about one path: missing, of another kind, or out of bounds. Everything else, such as
 * EMFILE, ENFILE and EIO, says that this process could not look, so that no conclusion about the path may be drawn from it.
 */
export function isAboutPath(error: unknown): boolean {
  if (VolumeError.isInstance(error))
    return error.code !== "unavailable" && error.code !== "aborted";
  return ABOUT_A_PATH.has(errnoOf(error) ?? "");
}

/** True for an error by which the system refuses to show what is there. */
export function isRefused(error: unknown): boolean {
  const errno = errnoOf(error);
  return errno === "EACCES" || errno === "EPERM";
}

/** The `errno` name of an error of `node:fs`. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
